/** Where in an object something is: names joined by dots, keys and indexes in brackets. */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #step: string;

  private constructor(parent: FieldPath | undefined, step: string) {
    this.#parent = parent;
    this.#step = step;
  }

  /** The object itself; prints as nothing. */
  static readonly root = new FieldPath(undefined, "");

  /** A path from field names. */
  static of(...names: readonly string[]): FieldPath {
    return FieldPath.root.child(...names);
  }

  child(...names: readonly string[]): FieldPath {
    return names.reduce<FieldPath>((path, name) => new FieldPath(path, path.isRoot ? name : `.${name}`), this);
  }

  index(index: number): FieldPath {
    return new FieldPath(this, `[${index}]`);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`);
  }

  get isRoot(): boolean {
    return this.#parent === undefined;
  }

  toString(): string {
    return this.#parent === undefined ? "" : `${this.#parent.toString()}${this.#step}`;
  }
}
