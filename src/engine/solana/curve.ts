/** A point of the curve ed25519 in extended coordinates: x = X/Z, y = Y/Z, xy = T/Z. @source RFC 8032, 5.1.4 */
type Point = { x: bigint; y: bigint; z: bigint; t: bigint }

const prime = 2n ** 255n - 19n
/** How many points the base point generates. */
const order = 2n ** 252n + 27742317777372353535851937790883648493n

const mod = (value: bigint): bigint => {
  const rest = value % prime
  return rest < 0n ? rest + prime : rest
}

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n
  let square = mod(base)
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}

const invert = (value: bigint): bigint => power(value, prime - 2n)
const d = mod(-121665n * invert(121666n))
const rootOfMinusOne = power(2n, (prime - 1n) / 4n)

/** Adds two points. The formula also doubles one. */
const add = (one: Point, other: Point): Point => {
  const a = mod((one.y - one.x) * (other.y - other.x))
  const b = mod((one.y + one.x) * (other.y + other.x))
  const c = mod(2n * d * one.t * other.t)
  const e = mod(2n * one.z * other.z)
  const [f, g, h, i] = [b - a, e - c, e + c, b + a]
  return { x: mod(f * g), y: mod(h * i), z: mod(g * h), t: mod(f * i) }
}

/** Reads bytes as an integer, the lowest byte first. */
export const readLittleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)

const decode = (bytes: Uint8Array): Point | undefined => {
  const encoded = readLittleEndian(bytes)
  const y = encoded & (2n ** 255n - 1n)
  const isOdd = encoded >> 255n
  if (bytes.length !== 32 || y >= prime) return undefined
  const [u, v] = [mod(y * y - 1n), mod(d * y * y + 1n)]
  let x = mod(u * power(v, 3n) * power(u * power(v, 7n), (prime - 5n) / 8n))
  if (mod(v * x * x) !== u) x = mod(x * rootOfMinusOne)
  if (mod(v * x * x) !== u || (x === 0n && isOdd)) return undefined
  if ((x & 1n) !== isOdd) x = prime - x
  return { x, y, z: 1n, t: mod(x * y) }
}

const encode = ({ x, y, z }: Point): Uint8Array => {
  const scale = invert(z)
  const encoded = mod(y * scale) | ((mod(x * scale) & 1n) << 255n)
  return Uint8Array.from({ length: 32 }, (_, at) => Number((encoded >> BigInt(8 * at)) & 255n))
}

/** The base point, twice that, four times that, and so on, as far as they were needed. */
const doublings: Point[] = []

const doublingOf = (at: number): Point => {
  const last = doublings.at(-1) ?? decode(Uint8Array.from({ length: 32 }, (_, byte) => (byte ? 0x66 : 0x58)))
  if (!last) throw new Error('the base point is on the curve')
  if (!doublings.length) doublings.push(last)
  while (doublings.length <= at) doublings.push(add(doublings.at(-1) ?? last, doublings.at(-1) ?? last))
  return doublings[at] ?? last
}

/** Whether 32 bytes are a point of the curve, as the address of every key pair is. */
export const isOnCurve = (bytes: Uint8Array): boolean => decode(bytes) !== undefined

/**
 * Adds a multiple of the base point to a public key. The result is the public key of the sum of both scalars. This is
 * for public values only: how long it takes tells the scalar.
 *
 * @returns `undefined` if the key is no point of the curve.
 */
export const addToPublicKey = (publicKey: Uint8Array, scalar: bigint): Uint8Array | undefined => {
  let sum = decode(publicKey)
  if (!sum) return undefined
  let left = scalar % order
  for (let at = 0; left > 0n; at++, left >>= 1n) if (left & 1n) sum = add(sum, doublingOf(at))
  return encode(sum)
}
