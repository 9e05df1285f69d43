import { isCidr, isIPv4, isIPv6, isMac } from "./address.ts";
import { isCreditCard, isIsbn10, isIsbn13 } from "./check-digit.ts";
import { isEmail } from "./email.ts";
import { isDate, isDateTime, isLooseDuration } from "./time.ts";
import { isRequestUri } from "./uri.ts";

type Accepts = (text: string) => boolean;

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuid3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuid4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const uuid5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const hexColor = /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const colorPart = String.raw`[\t\n\f\r ]*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*`;
const rgbColor = new RegExp(String.raw`^rgb\(${colorPart},${colorPart},${colorPart}\)$`);
const socialSecurityNumber = /^\d{3}[- ]\d{2}[- ]\d{4}$/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const objectId = /^[0-9a-fA-F]{24}$/;
const label = /^[\p{S}\p{L}0-9](?:[\p{S}\p{L}0-9-]*[\p{S}\p{L}0-9])?$/u;
const topLabel = /^\p{L}{2,63}$/u;
const shortName = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** The formats that Kubernetes checks on strings, their names without dashes. All others say nothing. */
const knownFormats: ReadonlyMap<string, Accepts> = new Map<string, Accepts>([
  ["bsonobjectid", (text) => objectId.test(text)],
  ["byte", isBase64],
  ["cidr", isCidr],
  ["creditcard", isCreditCard],
  ["date", isDate],
  ["datetime", isDateTime],
  ["duration", isLooseDuration],
  ["email", isEmail],
  ["hexcolor", (text) => hexColor.test(text)],
  ["hostname", isHostname],
  ["ipv4", isIPv4],
  ["ipv6", isIPv6],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["k8slongname", isLongName],
  ["k8sshortname", isShortName],
  ["mac", isMac],
  ["password", () => true],
  ["rgbcolor", (text) => rgbColor.test(text)],
  ["ssn", (text) => socialSecurityNumber.test(text)],
  ["uri", isRequestUri],
  ["uuid", (text) => uuid.test(text)],
  ["uuid3", (text) => uuid3.test(text)],
  ["uuid4", (text) => uuid4.test(text)],
  ["uuid5", (text) => uuid5.test(text)],
]);

/** The check of a format; undefined where Kubernetes does not know it. Dashes in the name do not count. */
export function formatCheck(name: string): Accepts | undefined {
  return knownFormats.get(name.replaceAll("-", ""));
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && base64.test(text);
}

function isHostname(text: string): boolean {
  if (new TextEncoder().encode(text).length > 255) return false;
  const labels = text.split(".");
  if (labels.some((part) => new TextEncoder().encode(part).length > 63)) return false;
  if (labels.length === 1) return isSingleLabel(text);
  return labels.slice(0, -1).every((part) => label.test(part)) && topLabel.test(labels.at(-1) ?? "");
}

/** A name without dots may hold one dash at most, and only as its second character. */
function isSingleLabel(text: string): boolean {
  return /^[\p{S}\p{L}0-9]-?[\p{S}\p{L}0-9]*$/u.test(text) && text.length > 0;
}

function isShortName(text: string): boolean {
  return text.length <= 63 && shortName.test(text);
}

function isLongName(text: string): boolean {
  return text.length <= 253 && text.split(".").every((part) => shortName.test(part));
}
