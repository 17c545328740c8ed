const prime = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** Whether a point is on the curve P-256, as every passkey's public key is. */
export const isP256Point = (x: bigint, y: bigint): boolean =>
  x >= 0n && x < prime && y >= 0n && y < prime && (y * y - (x * x * x - 3n * x + b)) % prime === 0n
