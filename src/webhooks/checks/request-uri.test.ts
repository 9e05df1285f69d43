import { describe, expect, test } from "vitest";
import { parseRequestUri } from "./request-uri.ts";

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
    expect(parseRequestUri(text)).toEqual({ kind: "uri", scheme });
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
