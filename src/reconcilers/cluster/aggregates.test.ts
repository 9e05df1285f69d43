import { False, True, Unknown } from "#conditions";
import { everyRow } from "#testkit";
import { ControlPlaneMachinesReady, WorkerMachinesReady } from "./machines-ready.ts";
import { ControlPlaneMachinesUpToDate, WorkerMachinesUpToDate } from "./machines-up-to-date.ts";
import { RollingOut } from "./rolling-out.ts";
import { ScalingDown, ScalingUp } from "./scaling.ts";
import { fine, merged, unlisted, unmergeable, withDescendants } from "./test-facts.ts";
import { WorkersAvailable } from "./workers-available.ts";

const unreadControlPlane = {
  controlPlane: { kind: "failed", objectKind: "DevControlPlane", error: "no answer" },
} as const;
const noSources = { kind: "no-sources" } as const;
const seeLogs = "Please check controller logs for errors";

everyRow(RollingOut, fine, {
  unreadable: [
    { given: unlisted, report: Unknown("InternalError", seeLogs) },
    { given: unreadControlPlane, report: Unknown("InternalError", seeLogs) },
  ],
  "no-sources": { given: withDescendants({ rollingOut: noSources }), report: False("NotRollingOut") },
  "rolling-out": {
    given: withDescendants({ rollingOut: merged("True", "* MachineDeployment md1: Rolling out 1 replicas") }),
    report: True("RollingOut", "* MachineDeployment md1: Rolling out 1 replicas"),
  },
  unknown: {
    given: withDescendants({ rollingOut: merged("Unknown", "* MachineDeployment md1: not seen") }),
    report: Unknown("RollingOutUnknown", "* MachineDeployment md1: not seen"),
  },
  "not-rolling-out": [
    { given: {}, report: False("NotRollingOut") },
    {
      given: withDescendants({ rollingOut: merged("False", "* MachinePool mp1: done") }),
      report: False("NotRollingOut", "* MachinePool mp1: done"),
    },
  ],
  "merge-failed": {
    given: withDescendants({ rollingOut: unmergeable }),
    report: Unknown("InternalError", seeLogs),
  },
});

everyRow(ScalingUp, fine, {
  unreadable: [
    { given: unlisted, report: Unknown("InternalError", "the server is away") },
    { given: unreadControlPlane, report: Unknown("InternalError", "no answer") },
    { given: withDescendants({ scalingUp: unmergeable }), report: Unknown("InternalError", "can't merge") },
  ],
  "no-sources": { given: withDescendants({ scalingUp: noSources }), report: False("NotScalingUp") },
  "scaling-up": { given: withDescendants({ scalingUp: merged("True", "M") }), report: True("ScalingUp", "M") },
  unknown: { given: withDescendants({ scalingUp: merged("Unknown", "M") }), report: Unknown("ScalingUpUnknown", "M") },
  "not-scaling-up": {
    given: withDescendants({ scalingUp: merged("False", "M") }),
    report: False("NotScalingUp", "M"),
  },
});

everyRow(ScalingDown, fine, {
  unreadable: [
    { given: unlisted, report: Unknown("InternalError", "the server is away") },
    { given: unreadControlPlane, report: Unknown("InternalError", "no answer") },
    { given: withDescendants({ scalingDown: unmergeable }), report: Unknown("InternalError", "can't merge") },
  ],
  "no-sources": { given: withDescendants({ scalingDown: noSources }), report: False("NotScalingDown") },
  "scaling-down": { given: withDescendants({ scalingDown: merged("True", "M") }), report: True("ScalingDown", "M") },
  unknown: {
    given: withDescendants({ scalingDown: merged("Unknown", "M") }),
    report: Unknown("ScalingDownUnknown", "M"),
  },
  "not-scaling-down": {
    given: withDescendants({ scalingDown: merged("False", "M") }),
    report: False("NotScalingDown", "M"),
  },
});

everyRow(WorkersAvailable, fine, {
  unreadable: { given: unlisted, report: Unknown("InternalError", "the server is away") },
  "no-workers": { given: withDescendants({ workersAvailable: noSources }), report: True("NoWorkers") },
  "not-available": {
    given: withDescendants({ workersAvailable: merged("False", "M") }),
    report: False("NotAvailable", "M"),
  },
  unknown: {
    given: withDescendants({ workersAvailable: merged("Unknown", "M") }),
    report: Unknown("AvailableUnknown", "M"),
  },
  available: { given: {}, report: True("Available") },
});

everyRow(ControlPlaneMachinesReady, fine, {
  unreadable: { given: unlisted, report: Unknown("InternalError", "the server is away") },
  "no-replicas": { given: withDescendants({ controlPlaneMachinesReady: noSources }), report: True("NoReplicas") },
  "not-ready": {
    given: withDescendants({ controlPlaneMachinesReady: merged("False", "M") }),
    report: False("NotReady", "M"),
  },
  unknown: {
    given: withDescendants({ controlPlaneMachinesReady: merged("Unknown", "M") }),
    report: Unknown("ReadyUnknown", "M"),
  },
  ready: { given: {}, report: True("Ready") },
});

everyRow(WorkerMachinesReady, fine, {
  unreadable: { given: unlisted, report: Unknown("InternalError", "the server is away") },
  "no-replicas": { given: withDescendants({ workerMachinesReady: noSources }), report: True("NoReplicas") },
  "not-ready": {
    given: withDescendants({ workerMachinesReady: merged("False", "M") }),
    report: False("NotReady", "M"),
  },
  unknown: {
    given: withDescendants({ workerMachinesReady: merged("Unknown", "M") }),
    report: Unknown("ReadyUnknown", "M"),
  },
  ready: { given: {}, report: True("Ready") },
});

everyRow(ControlPlaneMachinesUpToDate, fine, {
  unreadable: { given: unlisted, report: Unknown("InternalError", "the server is away") },
  "no-replicas": { given: withDescendants({ controlPlaneMachinesUpToDate: noSources }), report: True("NoReplicas") },
  "not-up-to-date": {
    given: withDescendants({ controlPlaneMachinesUpToDate: merged("False", "M") }),
    report: False("NotUpToDate", "M"),
  },
  unknown: {
    given: withDescendants({ controlPlaneMachinesUpToDate: merged("Unknown", "M") }),
    report: Unknown("UpToDateUnknown", "M"),
  },
  "up-to-date": { given: {}, report: True("UpToDate") },
});

everyRow(WorkerMachinesUpToDate, fine, {
  unreadable: { given: unlisted, report: Unknown("InternalError", "the server is away") },
  "no-replicas": { given: withDescendants({ workerMachinesUpToDate: noSources }), report: True("NoReplicas") },
  "not-up-to-date": {
    given: withDescendants({ workerMachinesUpToDate: merged("False", "M") }),
    report: False("NotUpToDate", "M"),
  },
  unknown: {
    given: withDescendants({ workerMachinesUpToDate: merged("Unknown", "M") }),
    report: Unknown("UpToDateUnknown", "M"),
  },
  "up-to-date": { given: {}, report: True("UpToDate") },
});
