import { expect, test } from "vitest";
import type { OwnerReference } from "./object.ts";
import {
  controllerOf,
  hasExactOwner,
  hasOwner,
  isControlledBy,
  isOwnedBy,
  replaceOwner,
  upsertOwner,
  withoutOwner,
} from "./owner-references.ts";

const set: OwnerReference = { apiVersion: "example.com/v1", kind: "Set", name: "s", uid: "1" };
const newerSet: OwnerReference = { ...set, apiVersion: "example.com/v2", uid: "2", controller: true };
const cluster: OwnerReference = { apiVersion: "example.com/v1", kind: "Cluster", name: "c", uid: "3" };
const elsewhere: OwnerReference = { ...set, apiVersion: "other.com/v1" };

test("the controller is the owner that says so", () => {
  expect(controllerOf({ metadata: { ownerReferences: [cluster, newerSet] } })).toBe(newerSet);
  expect(controllerOf({ metadata: { ownerReferences: [{ ...cluster, controller: false }] } })).toBeUndefined();
  expect(controllerOf({ metadata: {} })).toBeUndefined();
});

test("an object is controlled by the one with the uid of its controller", () => {
  const owned = { metadata: { ownerReferences: [cluster, newerSet] } };
  expect(isControlledBy(owned, { metadata: { uid: "2" } })).toBe(true);
  expect(isControlledBy(owned, { metadata: { uid: "3" } })).toBe(false);
  expect(isControlledBy({ metadata: {} }, { metadata: {} })).toBe(false);
});

test("an owner is added at the end, or replaced where its group, kind and name stand", () => {
  expect(upsertOwner(undefined, set)).toEqual([set]);
  expect(upsertOwner([set], cluster)).toEqual([set, cluster]);
  expect(upsertOwner([set, cluster], newerSet)).toEqual([newerSet, cluster]);
  expect(upsertOwner([set], elsewhere)).toEqual([set, elsewhere]);
});

test("an owner is known by group, kind and name", () => {
  expect(hasOwner([set], newerSet)).toBe(true);
  expect([elsewhere, cluster, { ...set, name: "t" }].map((owner) => hasOwner([set], owner))).toEqual([
    false,
    false,
    false,
  ]);
  expect(hasOwner(undefined, set)).toBe(false);
});

test("an owner is taken out in whatever version", () => {
  expect(withoutOwner([set, cluster], newerSet)).toEqual([cluster]);
  expect(withoutOwner(undefined, set)).toEqual([]);
});

test("a new owner takes the place of the one with the uid of the old", () => {
  const previous = { metadata: { name: "renamed", uid: "1" } };
  expect(replaceOwner([set, elsewhere], previous, cluster)).toEqual([cluster, elsewhere]);
  expect(replaceOwner([set], { metadata: { name: "s", uid: "9" } }, cluster)).toEqual([set, cluster]);
  expect(replaceOwner(undefined, previous, cluster)).toEqual([cluster]);
});

test("an exact owner agrees in version, uid and control", () => {
  expect(hasExactOwner([set], { ...set, controller: false, blockOwnerDeletion: true })).toBe(true);
  expect(hasExactOwner([set], newerSet)).toBe(false);
  expect(hasExactOwner([set], { ...set, uid: "2" })).toBe(false);
  expect(hasExactOwner([set], { ...set, controller: true })).toBe(false);
  expect(hasExactOwner(undefined, set)).toBe(false);
});

test("an object is owned by the one that a reference names", () => {
  const owned = { metadata: { ownerReferences: [cluster, newerSet] } };
  const group = "example.com";
  expect(isOwnedBy(owned, { metadata: { name: "s", uid: "9" } }, { group, kind: "Set" })).toBe(true);
  expect(isOwnedBy(owned, { metadata: { name: "s" } }, { group, kind: "Cluster" })).toBe(false);
  expect(isOwnedBy(owned, { metadata: { name: "s" } }, { group: "other.com", kind: "Set" })).toBe(false);
  expect(isOwnedBy({ metadata: {} }, { metadata: { name: "s" } }, { group, kind: "Set" })).toBe(false);
});

test("a reference whose apiVersion cannot be read names nobody", () => {
  const odd = { ...set, apiVersion: "a/b/c" };
  expect(hasOwner([odd], odd)).toBe(false);
  expect(withoutOwner([odd], odd)).toEqual([odd]);
});
