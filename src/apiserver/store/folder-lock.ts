import { randomBytes } from "node:crypto";
import { open, readdir, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { DataFolderError, DataLockedError } from "./errors.ts";

// A process that serves from a folder listens on a socket in it. Only the kernel knows for sure whether another process
// lives: it ends a socket with its process, however that died, and it is not fooled when a process id is used again, or
// means another process in another container. Nothing is ever sent over the socket.
const lockName = /^lock\.(\d+)\.[0-9a-f]{16}$/;

// Longer socket paths do not fit into the address that the kernel takes.
const longestSocketPath = 100;

/** Holds a folder until it is released or the process ends. */
export interface FolderLock {
  release(): Promise<void>;
}

/** Takes a folder for this process, or throws a DataLockedError naming the process that has it. */
export async function lockFolder(directory: string): Promise<FolderLock> {
  const folder = await openFolder(directory);
  // A name is never used twice, so that removing a dead one can never hit a live one.
  const own = `lock.${process.pid}.${randomBytes(8).toString("hex")}`;
  let server: Server | undefined;
  try {
    server = await listen(folder.socketPath(own));
    // The own flag is up before the others are looked at: of two processes that start together, at least one sees
    // the other and gives way.
    for (const name of await readdir(directory)) {
      const pid = lockName.exec(name)?.[1];
      if (pid === undefined || name === own) continue;
      if (await isAlive(folder.socketPath(name))) throw new DataLockedError(directory, Number(pid));
      await rm(join(directory, name), { force: true });
    }
  } catch (error) {
    await release(server, folder);
    if (error instanceof DataLockedError) throw error;
    throw new DataFolderError(`failed to lock data folder ${directory}`, { cause: error });
  }
  return { release: () => release(server, folder) };
}

/** The process that serves from a folder at the moment. */
export async function folderOwner(directory: string): Promise<number | undefined> {
  const folder = await openFolder(directory);
  try {
    for (const name of await readdir(directory)) {
      const pid = lockName.exec(name)?.[1];
      if (pid !== undefined && (await isAlive(folder.socketPath(name)))) return Number(pid);
    }
    return undefined;
  } finally {
    await folder.close();
  }
}

/** Whether a file in a data folder belongs to its lock. */
export function isLockFile(name: string): boolean {
  return lockName.test(name);
}

interface Folder {
  socketPath(name: string): string;
  close(): Promise<void>;
}

async function openFolder(directory: string): Promise<Folder> {
  const handle = await open(directory, "r");
  return {
    socketPath(name) {
      const path = join(directory, name);
      if (Buffer.byteLength(path) <= longestSocketPath) return path;
      if (process.platform === "linux") return `/proc/self/fd/${handle.fd}/${name}`;
      throw new DataFolderError(`the path of data folder ${directory} is too long to lock it`);
    },
    close: () => handle.close(),
  };
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject);
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    // Every other failure, such as no permission or a full queue, means that somebody is there.
    socket.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code !== "ECONNREFUSED" && error.code !== "ENOENT"),
    );
  });
}

async function release(server: Server | undefined, folder: Folder): Promise<void> {
  // Closing also removes the socket from the folder.
  if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()));
  await folder.close();
}
