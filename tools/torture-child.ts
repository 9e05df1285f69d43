import { writeSync } from "node:fs";
import { loadTortureModule, type TortureSubject } from "./torture-subject.ts";

// Started by torture.ts with a module, a folder and the first sequence number; writes until it is killed, and reports
// each write on standard output once it is acknowledged.
const [modulePath = "", directory = "", firstSequence = "0"] = process.argv.slice(2);
const writers = 32;
const keysPerWriter = 8;

let sequence = Number(firstSequence);
const tortured = await loadTortureModule(modulePath);
const subject = await tortured.openSubject(directory);
report("ready");
await Promise.all([
  compactAgainAndAgain(subject),
  ...Array.from({ length: writers }, (_, index) => write(subject, index)),
]);

async function write(target: TortureSubject, writer: number): Promise<never> {
  const existing = new Set<string>();
  for (;;) {
    const number = ++sequence;
    // Every writer has keys of its own, so that what it is told last about a key is what must be there.
    const key = `w${writer}-${number % keysPerWriter}`;
    if (number % 7 === 0 && existing.delete(key)) {
      report(`remove ${key} ${await target.remove(key)} 0`);
    } else {
      report(`put ${key} ${await target.put(key, number)} ${number}`);
      existing.add(key);
    }
  }
}

async function compactAgainAndAgain(target: TortureSubject): Promise<never> {
  for (;;) {
    await target.compact();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Written before it returns, so that a kill cannot swallow it. */
function report(line: string): void {
  writeSync(1, `${line}\n`);
}
