import { type Address, toHex as bytesToHex, erc20Abi, getAddress, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainCurrency } from '../../port.js'
import type { WalletPort } from '../../walletPort.js'
import { fundAccount } from './fundAccount.js'
import { sendCall } from './sendCall.js'
import { tryCall } from './tryCall.js'
import type { WalletParts } from './walletParts.js'

const readBalance = (client: PublicClient, holder: Address, { address }: ChainCurrency): Promise<bigint> =>
  address === undefined
    ? client.getBalance({ address: holder })
    : client.readContract({
        address: getAddress(address),
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [holder],
      })

/**
 * Creates the account operations of an EVM chain: sending from accounts that the service signs for, and
 * reading the balances of any account.
 */
export const createAccounts = (
  parts: WalletParts,
): Pick<WalletPort, 'tryCall' | 'sendCall' | 'currencies' | 'getBalances' | 'fund'> => {
  const { use, read } = parts
  const { db, chain, publishedTokens = [] } = parts.options
  const known = parts.currencies.map(({ currency }) => currency)
  const currencies = [
    ...parts.currencies,
    ...publishedTokens.filter(({ currency }) => !known.includes(currency)),
  ]
  return {
    currencies,
    tryCall: (from, call, terms) =>
      read((client) => tryCall({ db, client, chain, address: getAddress(from) }, parts.options, call, terms)),
    sendCall: async (key, { privateKey, call, isSponsored }, terms) => {
      // Read at once, because the caller may erase the bytes of its key before the node answers.
      const account = privateKeyToAccount(bytesToHex(privateKey))
      const input = { key, account, call, isSponsored }
      return use((opened) => sendCall(opened, parts, { ...input, ...terms }))
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
