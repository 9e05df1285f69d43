import { basename } from "node:path";
import { roomOf } from "./check-file.ts";
import { mayImport } from "./rooms.ts";

const longestReadme = 80;
const namesThatSayNothing = /(^|\/)((utils?|helpers?|common|shared|core|lib)(\/|\.[^/]*$)|types\.ts$)/;

/** What is wrong with the layout of src, one sentence each: a map from path below src to text. */
export function checkTree(files: ReadonlyMap<string, string>): readonly string[] {
  const rooms = [...new Set([...files.keys()].filter((file) => /\/.*\.ts$/.test(file)).map(roomOf))];
  const floors = [...new Set(rooms.map((room) => room.split("/")[0] ?? ""))];
  return [
    ...floors
      .filter((room) => !Object.hasOwn(mayImport, room))
      .map((room) => `${room}/ is no room: name it in tools/rooms/rooms.ts first`),
    ...rooms.filter((room) => !files.has(`${room}/index.ts`)).map((room) => `${room}/ has no front door (index.ts)`),
    ...floors.flatMap((room) => checkReadme(room, files.get(`${room}/README.md`))),
    ...[...files.keys()]
      .filter((file) => namesThatSayNothing.test(file))
      .map((file) => `${file} is named after nothing: ${basename(file)} says not what is inside`),
    ...[...files.keys()]
      .filter((file) => !file.includes("/") && !file.endsWith(".test.ts"))
      .map((file) => `${file} lives in no room`),
  ];
}

function checkReadme(room: string, text: string | undefined): readonly string[] {
  if (text === undefined) return [`${room}/ has no README.md`];
  const lines = text.trimEnd().split("\n").length;
  return lines > longestReadme ? [`${room}/README.md has ${lines} lines, at most ${longestReadme} are allowed`] : [];
}
