/**
 * Where in an object something is: names joined by dots, keys and indexes in brackets. Checks make one for every place
 * that they look at and print those few where something is wrong, so that all text is left for later.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #step: string | number;
  readonly #isField: boolean;

  private constructor(parent: FieldPath | undefined, step: string | number, isField: boolean) {
    this.#parent = parent;
    this.#step = step;
    this.#isField = isField;
  }

  /** The object itself; prints as nothing. */
  static readonly root = new FieldPath(undefined, "", true);

  /** A path from field names. */
  static of(...names: readonly string[]): FieldPath {
    return names.reduce<FieldPath>((path, name) => path.child(name), FieldPath.root);
  }

  child(name: string, ...more: readonly string[]): FieldPath {
    const path = new FieldPath(this, name, true);
    return more.length === 0 ? path : more.reduce<FieldPath>((above, below) => above.child(below), path);
  }

  index(index: number): FieldPath {
    return new FieldPath(this, index, false);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, key, false);
  }

  get isRoot(): boolean {
    return this.#parent === undefined;
  }

  toString(): string {
    if (this.#parent === undefined) return "";
    const above = this.#parent.toString();
    if (!this.#isField) return `${above}[${this.#step}]`;
    return this.#parent.isRoot ? String(this.#step) : `${above}.${this.#step}`;
  }
}
