import { describe, expect, test } from "vitest";
import { escapePath, hostnameOf, parseRequestUri, parseUrl } from "./go-url.ts";

describe("a text that a request can carry", () => {
  test.each([
    ["https://example.com", "https"],
    ["HTTPS://user:pw@example.com:443/a?b#c", "https"],
    ["http://[fe80::1%25en0]:80/", "http"],
    ["https://%C3%A4.example.com/", "https"],
    ["mailto:somebody", "mailto"],
    ["/a/b", ""],
    ["//a", ""],
    ["*", ""],
  ])("%s has the scheme %j", (text, scheme) => {
    expect(parseRequestUri(text)).toMatchObject({ kind: "url", url: { scheme } });
  });
});

describe("a text that it cannot", () => {
  test.each([
    ["", 'parse "": empty url'],
    ["example.com", 'parse "example.com": invalid URI for request'],
    ["1http://a", 'parse "1http://a": invalid URI for request'],
    [":a", 'parse ":a": missing protocol scheme'],
    ["https://a\n", 'parse "https://a\\n": net/url: invalid control character in URL'],
    ["https://a:b", 'parse "https://a:b": invalid port ":b" after host'],
    ["https://a:1:2", 'parse "https://a:1:2": invalid port ":1:2" after host'],
    ["https://[::1", "parse \"https://[::1\": missing ']' in host"],
    ["https://[::1]x", 'parse "https://[::1]x": invalid port "x" after host'],
    ["https://a[::1]", 'parse "https://a[::1]": invalid IP-literal'],
    ["https://a b", 'parse "https://a b": invalid character " " in host name'],
    ["https://%41", 'parse "https://%41": invalid URL escape "%41"'],
    ["https://a/%zz", 'parse "https://a/%zz": invalid URL escape "%zz"'],
    ["/a%2", 'parse "/a%2": invalid URL escape "%2"'],
    ["https://a b@c", 'parse "https://a b@c": net/url: invalid userinfo'],
  ])("%j: %s", (text, why) => {
    expect(parseRequestUri(text)).toEqual({ kind: "none", why });
  });
});

describe("a URL has parts", () => {
  const none = { scheme: "", host: "", path: "", query: "" };
  test.each([
    ["https://h/a%20b?x=1#y", { scheme: "https", host: "h", path: "/a b", query: "x=1" }],
    ["https://u:p@h:1", { ...none, scheme: "https", userinfo: "u:p", host: "h:1" }],
    ["https://[::1]:9443/", { ...none, scheme: "https", host: "[::1]:9443", path: "/" }],
    ["//h/a", { ...none, host: "h", path: "/a" }],
    ["a/b", { ...none, path: "a/b" }],
    ["mailto:x", { ...none, scheme: "mailto" }],
    ["", none],
    ["https://h/%ff", { ...none, scheme: "https", host: "h", path: "/\ufffd" }],
  ])("%s", (text, url) => {
    expect(parseUrl(text)).toEqual({ kind: "url", url });
  });
});

test.each([
  ["1http://a", 'parse "1http://a": first path segment in URL cannot contain colon'],
  [":a", 'parse ":a": missing protocol scheme'],
  ["https://a b/#x", 'parse "https://a b/#x": invalid character " " in host name'],
  ["a%zz", 'parse "a%zz": invalid URL escape "%zz"'],
])("%s is no URL", (text, why) => {
  expect(parseUrl(text)).toEqual({ kind: "none", why });
});

test.each([
  ["h", "h"],
  ["h:1", "h"],
  ["[::1]", "::1"],
  ["[::1]:1", "::1"],
])("the name of the host %s is %s", (host, name) => {
  expect(hostnameOf({ host })).toBe(name);
});

test("a path is escaped as Go does", () => {
  expect(escapePath("/a b/ä?#%!'()*$&+,:;=@~-_.")).toBe("/a%20b/%C3%A4%3F%23%25%21%27%28%29%2A$&+,:;=@~-_.");
});
