/** Generated from proto/json.proto. */
import type { Message } from "@orrery/stdx/codec";

export interface JsonValue {
  readonly kind: number;
  readonly number: number;
  readonly text: string;
  readonly keys: readonly string[];
  readonly items: readonly JsonValue[];
}
export const JsonValue: Message<JsonValue>;
