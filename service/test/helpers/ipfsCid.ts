import { createHash } from 'node:crypto'

const chunkBytes = 262_144
const raw = 0x55
const dagPb = 0x70

type Block = { cid: Buffer; fileSize: number; totalSize: number }

const varint = (value: number): Buffer => {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}

const numberField = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)])
const bytesField = (field: number, bytes: Uint8Array) =>
  Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes])

const cidOf = (codec: number, block: Uint8Array) =>
  Buffer.concat([Buffer.from([1, codec, 0x12, 32]), createHash('sha256').update(block).digest()])

const rawLeaf = (chunk: Uint8Array): Block => ({
  cid: cidOf(raw, chunk),
  fileSize: chunk.length,
  totalSize: chunk.length,
})

/** A chunk wrapped into a node, as version 0 requires. */
export const wrappedLeaf = (chunk: Uint8Array): Block => {
  const data = [numberField(1, 2), bytesField(2, chunk), numberField(3, chunk.length)]
  const block = bytesField(1, Buffer.concat(data))
  return { cid: cidOf(dagPb, block), fileSize: chunk.length, totalSize: block.length }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

const parent = (leaves: Block[]): Block => {
  const fileSize = sum(leaves.map((leaf) => leaf.fileSize))
  const links = leaves.map(({ cid, totalSize }) =>
    bytesField(
      2,
      Buffer.concat([bytesField(1, cid), bytesField(2, Buffer.alloc(0)), numberField(3, totalSize)]),
    ),
  )
  const sizes = leaves.map((leaf) => numberField(4, leaf.fileSize))
  const data = Buffer.concat([numberField(1, 2), numberField(3, fileSize), ...sizes])
  const block = Buffer.concat([...links, bytesField(1, data)])
  return {
    cid: cidOf(dagPb, block),
    fileSize,
    totalSize: block.length + sum(leaves.map((leaf) => leaf.totalSize)),
  }
}

const base32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

/**
 * Returns the CID of up to 174 chunks of 256 KiB, computed from the specifications of UnixFS, DAG-PB and CID
 * alone.
 */
export const ipfsCid = (bytes: Uint8Array, leaf: (chunk: Uint8Array) => Block = rawLeaf): string => {
  const count = Math.max(1, Math.ceil(bytes.length / chunkBytes))
  const leaves = Array.from({ length: count }, (_, index) =>
    leaf(bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
  )
  const [only] = leaves
  return `b${base32((count === 1 && only ? only : parent(leaves)).cid)}`
}
