import type { PrinterColumn } from "#machinery";

/** Columns with this priority are printed in the wide form only. */
const wide = 10;

/** A column that prints a text. */
export function textColumn(name: string, jsonPath: string): PrinterColumn {
  return { name, type: "string", jsonPath };
}

/** A column that prints a number. */
export function countColumn(name: string, jsonPath: string): PrinterColumn {
  return { name, type: "integer", jsonPath };
}

/** A column that prints the status of a condition. */
export function conditionColumn(name: string, conditionType: string): PrinterColumn {
  return textColumn(name, `.status.conditions[?(@.type=="${conditionType}")].status`);
}

/** The same column, in the wide form only. */
export function onlyWide(column: PrinterColumn): PrinterColumn {
  return { ...column, priority: wide };
}

export const age: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

export const paused = onlyWide(conditionColumn("Paused", "Paused"));

export const clusterOfSpec = textColumn("Cluster", ".spec.clusterName");

export const clusterOfLabel = textColumn("Cluster", ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']");

/** How many machines a set, a deployment or a pool has. */
export const replicaColumns = [
  countColumn("Desired", ".spec.replicas"),
  countColumn("Current", ".status.replicas"),
  countColumn("Ready", ".status.readyReplicas"),
  countColumn("Available", ".status.availableReplicas"),
  countColumn("Up-to-date", ".status.upToDateReplicas"),
];
