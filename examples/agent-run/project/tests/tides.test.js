import assert from "node:assert";
import test from "node:test";
import { nextHighTide } from "../src/tides.js";

test("the next tide comes half a day later", () => {
  assert.equal(nextHighTide(1.0), 13.42);
});
