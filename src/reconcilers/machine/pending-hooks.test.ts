import { annotations } from "#api";
import { UpdateMachine } from "#extensions";
import { describe, expect, test } from "vitest";
import { isHookPending, withoutPendingHook } from "./pending-hooks.ts";

const note = annotations.pendingHooks;

describe("a hook that has to be called", () => {
  test.for<[noted: string | undefined, isPending: boolean, left: string | undefined]>([
    [undefined, false, undefined],
    ["", false, undefined],
    ["UpdateMachine", true, undefined],
    ["AfterClusterUpgrade", false, "AfterClusterUpgrade"],
    ["AfterClusterUpgrade,UpdateMachine,BeforeClusterDelete", true, "AfterClusterUpgrade,BeforeClusterDelete"],
    ["CanUpdateMachine,UpdateMachineSet", false, "CanUpdateMachine,UpdateMachineSet"],
  ])("in %j is found: %s; what is left is %j", ([noted, isPending, left]) => {
    const metadata = { annotations: { other: "kept", ...(noted === undefined ? {} : { [note]: noted }) } };
    expect(isHookPending(metadata, UpdateMachine)).toBe(isPending);
    const rest = { other: "kept", ...(left === undefined ? {} : { [note]: left }) };
    expect(withoutPendingHook(metadata, UpdateMachine)).toEqual(rest);
  });

  test("is not there where nothing is noted at all", () => {
    expect(isHookPending({}, UpdateMachine)).toBe(false);
    expect(withoutPendingHook({}, UpdateMachine)).toEqual({});
  });
});
