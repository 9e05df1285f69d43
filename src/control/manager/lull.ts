import { type Clock, milliseconds } from "#base";
import type { Controller } from "../controller/controller.ts";

/** After so long without a pass there is a lull: short enough for people, and longer than from one write to the next. */
const moment = milliseconds(50);

/** Notices when nobody has anything to do; then whoever waits for company need not wait any longer. */
export class Lull {
  readonly #clock: Clock;
  readonly #controllers: readonly Pick<Controller, "isIdle" | "isPatient" | "hurry">[];
  #isWaiting = false;
  #isDisturbed = false;

  constructor(clock: Clock, controllers: readonly Pick<Controller, "isIdle" | "isPatient" | "hurry">[]) {
    this.#clock = clock;
    this.#controllers = controllers;
  }

  /** To be called whenever a controller has nothing to do. */
  notice(): void {
    this.#isDisturbed = true;
    if (this.#isWaiting || !this.#isQuiet || !this.#controllers.some(({ isPatient }) => isPatient)) return;
    this.#isWaiting = true;
    this.#isDisturbed = false;
    void this.#clock.sleep(moment).then(() => this.#after());
  }

  get #isQuiet(): boolean {
    return this.#controllers.every(({ isIdle }) => isIdle);
  }

  #after(): void {
    this.#isWaiting = false;
    if (this.#isDisturbed) this.notice();
    else if (this.#isQuiet) for (const controller of this.#controllers) controller.hurry();
  }
}
