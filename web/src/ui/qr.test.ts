import decodeQR from "qr/decode.js";
import { describe, expect, it } from "vitest";
import { squaresOf } from "./qr.ts";

describe("a link as a QR code", () => {
  it("can be read again from what is drawn", () => {
    const link = "https://meldwise.example/#/join/TQ588A2";
    const { size, path } = squaresOf(link);
    const scale = 4;
    const side = size * scale;
    const data = new Uint8ClampedArray(side * side * 4).fill(255);
    for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
      for (let row = 0; row < scale; row += 1) {
        const start = ((Number(y) * scale + row) * side + Number(x) * scale) * 4;
        for (let at = 0; at < scale * 4; at += 1) data[start + at] = at % 4 === 3 ? 255 : 0;
      }
    }
    expect(decodeQR({ width: side, height: side, data })).toBe(link);
  });
});
