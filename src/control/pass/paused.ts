import { defineCondition, False, holds, nothing, otherwise, row, True } from "#conditions";
import type { KubeObject } from "#machinery";
import type { Reader } from "../reader.ts";

/** Who has asked that an object be left alone. */
export interface PausedState {
  /** The Cluster of the object says so. */
  readonly clusterPaused: boolean;
  /** The object says so itself. */
  readonly annotated: boolean;
}

/** Finds out whether an object is to be left alone. */
export type PausedRule<Obj extends KubeObject> = (looking: {
  readonly object: Obj;
  readonly reader: Reader;
  readonly signal: AbortSignal;
}) => PausedState | Promise<PausedState>;

/** True where anybody has asked for it. */
export function isPaused({ clusterPaused, annotated }: PausedState): boolean {
  return clusterPaused || annotated;
}

/** The type of the condition that says so. */
export const pausedType = "Paused";

/** The Paused condition of a kind. */
export function pausedTable(kind: string) {
  const annotation = `${kind} has the cluster.x-k8s.io/paused annotation`;
  const leftAlone = nothing("a paused object is left alone");
  return defineCondition({
    of: kind,
    type: pausedType,
    polarity: "negative",
    summary: "Tells whether the object is left alone, and who asked for it.",
    reasons: ["Paused", "NotPaused"],
    rows: [
      row({
        id: "both-paused",
        when: holds("the Cluster is paused and the object has the annotation", bothPaused),
        ensure: leftAlone,
        report: True("Paused", `Cluster spec.paused is set to true, ${annotation}`),
      }),
      row({
        id: "cluster-paused",
        when: holds("the Cluster is paused", clusterIsPaused),
        ensure: leftAlone,
        report: True("Paused", "Cluster spec.paused is set to true"),
      }),
      row({
        id: "object-paused",
        when: holds("the object has the annotation", objectIsPaused),
        ensure: leftAlone,
        report: True("Paused", annotation),
      }),
    ],
    otherwise: otherwise({
      id: "not-paused",
      when: "nobody asked for a pause",
      ensure: nothing("the steps of the reconciler run"),
      report: False("NotPaused"),
    }),
  });
}

function bothPaused({ clusterPaused, annotated }: PausedState): boolean {
  return clusterPaused && annotated;
}

function clusterIsPaused({ clusterPaused }: PausedState): boolean {
  return clusterPaused;
}

function objectIsPaused({ annotated }: PausedState): boolean {
  return annotated;
}
