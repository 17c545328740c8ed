import { type Address, concatHex, getContractAddress, type Hex, numberToHex, size, zeroHash } from 'viem'
import { create2Deployer } from '#adapters/chains/evm/connection/addresses.js'

/**
 * Code of a wallet that calls every signature valid (ERC-1271) until a call without data has turned it. From then on,
 * it calls none valid.
 */
export const turningWallet: Hex =
  '0x3615602157600054601b57631626ba7e60e01b60005260206000f35b60206000f35b600160005500'

/** Code of a wallet that burns about a million gas before it calls a signature valid. */
export const hungryWallet: Hex = '0x62009c405b6001900380600457631626ba7e60e01b60005260206000f3'

/** The creation code of a contract whose code is at most 255 bytes long. */
const createCode = (code: Hex): Hex =>
  concatHex(['0x60', numberToHex(size(code)), '0x80600b6000396000f3', code])

/** A wallet that its factory has not deployed yet, and the call that deploys it. */
export const futureWallet = (code: Hex, salt: Hex = zeroHash) => {
  const bytecode = createCode(code)
  const address: Address = getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecode })
  return { address, factory: create2Deployer, factoryData: concatHex([salt, bytecode]) }
}
