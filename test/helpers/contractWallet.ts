import { type Address, concatHex, getAddress, type Hash, type Hex, keccak256, numberToHex, pad } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Shop } from './createShop.js'
import type { SendParameters } from './scriptedWallet.js'

// Makes the call it receives: 32 bytes of address, 32 of value, then the data. Reverts when the call does.
const runtime: Hex = '0x60403603806040600037600060009160006020356000355af160215760006000fd5b00'

/** Puts a contract wallet with funds on the chain: it has code, a balance, and no key. */
export const deployContractWallet = async ({ world }: Shop, valueWei = 10n ** 18n): Promise<Address> => {
  const address = getAddress(privateKeyToAddress(generatePrivateKey()))
  await world.client.setCode({ address, bytecode: runtime })
  await world.client.setBalance({ address, value: valueWei })
  return address
}

/** What the owner of a contract wallet sends to have it make a call. */
export const toExecution = (wallet: Address, { to, value, data }: SendParameters): SendParameters => ({
  to: wallet,
  data: concatHex([pad(to), numberToHex(BigInt(value ?? 0), { size: 32 }), data ?? '0x']),
})

/** The identifier such a wallet answers with, which is as long as a transaction's hash and is none. */
export const toIdentifier = ({ to, data }: SendParameters): Hash => keccak256(concatHex([to, data ?? '0x']))
