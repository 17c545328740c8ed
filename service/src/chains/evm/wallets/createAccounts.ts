import { type Address, toHex as bytesToHex, erc20Abi, getAddress, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainCurrency } from '../../port.js'
import type { EncodedCall, WalletPort } from '../../walletPort.js'
import { readRevertData } from '../readRevert.js'
import { explainLength } from '../signCall.js'
import { toHex } from '../signed.js'
import { explainLack } from './accountFunds.js'
import { decodeRevert, describeRevert } from './decodeRevert.js'
import { fundAccount } from './fundAccount.js'
import { sendCall } from './sendCall.js'
import { type AccountOnChain, readUnspent } from './sponsoredGas.js'
import type { WalletParts } from './walletParts.js'

/** What an account lacks for a call. While others of it are on their way, they may bring or free what it lacks. */
const findLack = async (from: AccountOnChain, value: bigint): Promise<string | undefined> => {
  if (value === 0n) return undefined
  const spareWei = await from.client.getBalance({ address: from.address })
  const { unspentWei, isSettled } = await readUnspent(from)
  return explainLack({ spareWei, ownWei: isSettled ? spareWei - unspentWei : spareWei }, value)
}

const tryCall = async (
  from: AccountOnChain,
  { to, value, data, errors }: EncodedCall,
): ReturnType<WalletPort['tryCall']> => {
  const excess = explainLength(toHex(data))
  if (excess !== undefined) return { status: 'reverted', ...describeRevert('contract_call', excess) }
  const { client, address: account } = from
  const lack = await findLack(from, value)
  if (lack !== undefined) return { status: 'reverted', ...describeRevert('contract_call', lack) }
  try {
    await client.call({ account, to: getAddress(to), value, data: toHex(data) })
    return { status: 'ready' }
  } catch (error) {
    const revert = readRevertData(error)
    if (!revert) throw error
    const { data: answer } = revert
    return { status: 'reverted', ...describeRevert('contract_call', decodeRevert(answer, errors), answer) }
  }
}

const readBalance = (client: PublicClient, holder: Address, { address }: ChainCurrency): Promise<bigint> =>
  address === undefined
    ? client.getBalance({ address: holder })
    : client.readContract({
        address: getAddress(address),
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [holder],
      })

/** Accounts on an EVM chain: those that the service signs for, and what any of them holds. */
export const createAccounts = (
  parts: WalletParts,
): Pick<WalletPort, 'tryCall' | 'sendCall' | 'getBalances' | 'fund'> => {
  const { currencies, use, read } = parts
  const { db, chain } = parts.options
  return {
    tryCall: (from, call) =>
      read((client) => tryCall({ db, client, chain, address: getAddress(from) }, call)),
    sendCall: async (key, { privateKey, call, isSponsored }, onSigned) => {
      // At once: the caller may forget the bytes of its key before the node answers.
      const account = privateKeyToAccount(bytesToHex(privateKey))
      const input = { account, call, isSponsored }
      return use((opened) => sendCall(opened, parts, key, input, onSigned))
    },
    getBalances: async (address, names) => {
      const asked = currencies.filter(({ currency }) => names.includes(currency))
      const holder = getAddress(address)
      const held = await read((client) =>
        Promise.all(asked.map((currency) => readBalance(client, holder, currency))),
      )
      return Object.fromEntries(asked.map(({ currency }, at) => [currency, held[at] ?? 0n]))
    },
    fund: (key, input) => use((opened) => fundAccount(opened, parts, key, input)),
  }
}
