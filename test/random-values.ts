import fc from "fast-check";

// The same values in every run, so that a run says something about what changed; another seed tries others.
fc.configureGlobal({ seed: Number(process.env["CAPSTAN_TEST_SEED"] ?? 1) });
