/**
 * The table of the core's field types by their names in mappings. A new one is a file in this
 * folder and a row here; plugins add theirs to the `SearchLanguage`.
 */
import type { FieldType } from "../../language/field-type.ts";
import { binaryType } from "./binary.ts";
import { booleanType } from "./boolean.ts";
import { dateNanosType, dateType } from "./date.ts";
import { geoPointType } from "./geo-point.ts";
import { ipType } from "./ip.ts";
import { constantKeywordType, keywordType, wildcardType } from "./keyword.ts";
import {
  byteType,
  doubleType,
  floatType,
  halfFloatType,
  integerType,
  longType,
  scaledFloatType,
  shortType,
  unsignedLongType,
} from "./number.ts";
import { matchOnlyTextType, textType } from "./text.ts";

/** The field types of the core, by name. */
export const coreFieldTypes: Readonly<Record<string, FieldType>> = {
  text: textType,
  match_only_text: matchOnlyTextType,
  keyword: keywordType,
  wildcard: wildcardType,
  constant_keyword: constantKeywordType,
  byte: byteType,
  short: shortType,
  integer: integerType,
  long: longType,
  unsigned_long: unsignedLongType,
  float: floatType,
  half_float: halfFloatType,
  double: doubleType,
  scaled_float: scaledFloatType,
  date: dateType,
  date_nanos: dateNanosType,
  boolean: booleanType,
  ip: ipType,
  binary: binaryType,
  geo_point: geoPointType,
};
