const prefixes = ["* APIServer", "* ControllerManager", "* Scheduler"];

/** Entries of a summary that say the same of several control plane components become one. */
export function groupControlPlaneComponents(entries: readonly string[]): readonly string[] {
  const ofComponents = entries.filter((entry) => messageOfComponent(entry) !== undefined);
  const messages = new Set(ofComponents.map(messageOfComponent));
  const [message] = messages;
  if (ofComponents.length < 2 || messages.size > 1) return entries;
  const [first] = ofComponents;
  return entries
    .filter((entry) => entry === first || messageOfComponent(entry) === undefined)
    .map((entry) => (entry === first ? `* Control plane components:${message}` : entry));
}

/** What an entry says after the name of its condition; undefined where it is about something else. */
function messageOfComponent(entry: string): string | undefined {
  const end = entry.indexOf(":");
  if (end === -1) return undefined;
  const condition = entry.slice(0, end);
  const isComponent = condition === "* EtcdPodHealthy" || prefixes.some((prefix) => condition.startsWith(prefix));
  return isComponent ? entry.slice(end + 1) : undefined;
}
