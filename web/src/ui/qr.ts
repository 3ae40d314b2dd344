/** A link as the squares of a QR code, drawn as one path. */
import encodeQR from "qr";

export function squaresOf(text: string): { size: number; path: string } {
  // The quiet zone of four squares is part of the code.
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  const path = rows
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return { size: rows.length, path };
}
