import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
/** The folder of the checkout, found from the sources as well as from the build. */
export const root = folderOfPackage(import.meta.dirname);
function folderOfPackage(folder) {
    if (existsSync(join(folder, "package.json")))
        return folder;
    const parent = dirname(folder);
    if (parent === folder)
        throw new Error(`no package.json above ${import.meta.dirname}`);
    return folderOfPackage(parent);
}
//# sourceMappingURL=root.js.map