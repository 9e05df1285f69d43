/** The steps that rows rely on, in words. */

export const notePause = {
  name: "note-pause",
  text: "write whether the ExtensionConfig is paused, before anything else",
};

export const validate = {
  name: "validate",
  text: "look whether a writing manager has discovered the extension as it stands",
};

export const bringUpToDate = {
  name: "bring-up-to-date",
  text: "take over the certificate authority from its Secret, ask the extension for its handlers, write them to the status",
};

export const registerHandlers = {
  name: "register-handlers",
  text: "make the handlers callable, in place of those that were",
};

export const unregisterHandlers = {
  name: "unregister-handlers",
  text: "forget the handlers, so that nobody calls them any more",
};
