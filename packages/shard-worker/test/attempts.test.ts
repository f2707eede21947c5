/** Writes that are sent again: what was sent first is not carried out any more. */
import { expect, test } from "vitest";
import { createAttempts } from "../src/write/attempts.ts";

test("an attempt is overtaken by a later one of the same write, and by no other", () => {
  const attempts = createAttempts();
  attempts.note({ writeId: 1, attempt: 0 });
  attempts.note({ writeId: 2, attempt: 2 });
  attempts.note({ writeId: 2, attempt: 1 });

  expect(attempts.isOvertaken({ writeId: 1, attempt: 0 })).toBe(false);
  expect(attempts.isOvertaken({ writeId: 2, attempt: 0 })).toBe(true);
  expect(attempts.isOvertaken({ writeId: 2, attempt: 1 })).toBe(true);
  expect(attempts.isOvertaken({ writeId: 2, attempt: 2 })).toBe(false);
});

test("a thousand writes that were tried again last are known", () => {
  const attempts = createAttempts();
  for (let writeId = 1; writeId <= 1500; writeId += 1) attempts.note({ writeId, attempt: 1 });

  expect(attempts.isOvertaken({ writeId: 500, attempt: 0 })).toBe(false);
  expect(attempts.isOvertaken({ writeId: 501, attempt: 0 })).toBe(true);
});
