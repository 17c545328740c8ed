import { type Address, getAddress, keccak256, stringToHex } from 'viem'

/** An address that stands for a name, the same one each time. */
export const nameAddress = (name: string): Address =>
  getAddress(`0x${keccak256(stringToHex(name)).slice(-40)}`)

/** Where the tokens of a collection are. */
export const collectionAddress = (collectionId: string): Address => nameAddress(`collection ${collectionId}`)
