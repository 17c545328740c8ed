import { openStorage, type WebStorage } from '../../chain/attemptStore.js'
import { RpcError } from '../../chain/evm/rpcError.js'
import { decodeMessage } from '../../chain/solana/message.js'
import { solDecimals } from '../../chain/solana/tokens.js'
import { fromBase64, readTransaction, toBase64 } from '../../chain/solana/transaction.js'
import { readTransfer, type Transfer } from '../../chain/solana/transfer.js'
import { encodeBase58 } from '../../engine/solana/base58.js'
import type { SolanaNode } from '../../pay/solana/node.js'
import type { SendInput, StandardAccount, StandardFeatures } from '../../pay/solana/walletStandard.js'
import { registerWallet } from '../../pay/solana/walletStandard.js'
import { fromBaseUnits } from '../../schema/baseUnits.js'
import type { SandboxPayment } from '../sandboxPayment.js'
import { openSandboxSolana, type SandboxSolana } from './openSandboxSolana.js'

/** Parameters of {@link registerSolanaSandboxWallet}. */
export type SolanaSandboxWalletParameters = {
  /** The service's address as `createClient` takes it, ending in `/api`. It must be a sandbox. */
  baseUrl: string
  /** Where the wallet's key is stored. By default localStorage. */
  storage?: WebStorage | undefined
  /** Asks the owner to confirm a payment; false declines it. Without it every payment is signed. */
  confirm?: ((payment: SandboxPayment) => boolean | Promise<boolean>) | undefined
}

const version = '1.0.0'
const name = 'Sandbox wallet'
const chain = 'solana:localnet'
const keyName = 'kassa.sandbox-wallet.solana-key'
const permissionName = 'kassa.sandbox-wallet.solana-connected'
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#2f855a"/><path d="M7 8h10v8H7z" fill="none" stroke="#fff" stroke-width="2"/></svg>',
)}`

type Key = { address: string; privateKey: CryptoKey }

const importKey = (pkcs8: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), 'Ed25519', false, ['sign'])

const createKey = async (storage: WebStorage): Promise<Key> => {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new RpcError(4200, 'This browser does not support Ed25519 keys.')
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey))
  const address = encodeBase58(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
  storage.setItem(keyName, `${address} ${toBase64(pkcs8)}`)
  return { address, privateKey: await importKey(pkcs8) }
}

/** Reads the key of this browser, or creates it. It is stored unprotected, because it only controls test funds. */
const openKey = async (storage: WebStorage): Promise<Key> => {
  const [address, text = ''] = storage.getItem(keyName)?.split(' ') ?? []
  const pkcs8 = fromBase64(text)
  return address && pkcs8?.length ? { address, privateKey: await importKey(pkcs8) } : createKey(storage)
}

const findTransfer = (message: Uint8Array): Transfer | undefined => {
  try {
    const transfers = decodeMessage(message).instructions.flatMap((each) => readTransfer(each) ?? [])
    return transfers.length === 1 ? transfers[0] : undefined
  } catch {
    return undefined
  }
}

/** Describes what a message pays and to whom; undefined if it is no payment in a currency of the sandbox. */
const describeMessage = (
  message: Uint8Array,
  tokens: SandboxSolana['tokens'],
): SandboxPayment | undefined => {
  const transfer = findTransfer(message)
  const token = Object.entries(tokens).find(([, { address }]) => address === transfer?.mint)
  if (!transfer || (transfer.mint !== undefined && !token)) return undefined
  const [currency, decimals] = token ? [token[0], token[1].decimals] : ['sol', solDecimals]
  const { from, recipient, units } = transfer
  return { chain: 'solana', from, to: recipient, amount: fromBaseUnits(units, decimals), currency }
}

/** The key of this browser and the sandbox, opened when they are first needed. */
type Opened = { getKey(): Promise<Key>; getSandbox(): Promise<SandboxSolana> }

const openLater = (baseUrl: string, storage: WebStorage): Opened => {
  let key: Promise<Key> | undefined
  let sandbox: Promise<SandboxSolana> | undefined
  return {
    getKey: () => {
      key ??= openKey(storage)
      return key
    },
    // Asked once; an unavailable sandbox is asked again.
    getSandbox: () => {
      sandbox ??= openSandboxSolana(baseUrl).catch((error) => {
        sandbox = undefined
        throw error
      })
      return sandbox
    },
  }
}

/** The connection of an app to the wallet's account, which lasts across reloads. */
const createConnection = (storage: WebStorage, { getKey, getSandbox }: Opened) => {
  let accounts: readonly StandardAccount[] = []
  const listeners = new Set<(properties: { accounts?: readonly StandardAccount[] }) => void>()
  const setAccounts = (next: readonly StandardAccount[]): void => {
    accounts = next
    for (const listener of listeners) listener({ accounts })
  }

  const connect = async ({ silent = false } = {}) => {
    const isPermitted = storage.getItem(permissionName) === 'yes'
    if (silent && !isPermitted) return { accounts: [] }
    const sandbox = await getSandbox()
    const { address } = await getKey()
    if (silent) void sandbox.topUp(address).catch(() => undefined)
    else await sandbox.topUp(address)
    storage.setItem(permissionName, 'yes')
    setAccounts([{ address, chains: [chain], features: ['solana:signAndSendTransaction'] }])
    return { accounts }
  }
  const disconnect = async (): Promise<void> => {
    storage.setItem(permissionName, 'no')
    setAccounts([])
  }

  return {
    getAccounts: () => accounts,
    features: {
      'standard:connect': { version, connect },
      'standard:disconnect': { version, disconnect },
      'standard:events': {
        version,
        on: (_event, listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
    } satisfies StandardFeatures,
  }
}

/** Creates the function that signs payments from a connected account, once their owner has confirmed them. */
const createSign =
  (
    { getKey, getSandbox }: Opened,
    isConnected: () => boolean,
    confirm: SolanaSandboxWalletParameters['confirm'],
  ) =>
  async (input: SendInput): Promise<{ signature: Uint8Array; signedTransaction: Uint8Array }> => {
    const { address, privateKey } = await getKey()
    if (input.account.address !== address || !isConnected()) {
      throw new RpcError(4100, 'The sandbox wallet is not connected as this account.')
    }
    if (input.chain !== chain) throw new RpcError(4901, 'The sandbox wallet is on another cluster.')
    const { tokens } = await getSandbox()
    const message = readTransaction(input.transaction)?.message
    const payment = message && describeMessage(message, tokens)
    if (!message || payment?.from !== address) {
      throw new RpcError(4200, 'The sandbox wallet signs payments from its own account only.')
    }
    if (confirm && !(await confirm(payment))) throw new RpcError(4001, 'Declined in the sandbox wallet.')
    const signed = await crypto.subtle.sign('Ed25519', privateKey, new Uint8Array(message))
    const signature = new Uint8Array(signed)
    const signedTransaction = new Uint8Array(input.transaction)
    // One signature, after a byte that counts them.
    signedTransaction.set(signature, 1)
    return { signature, signedTransaction }
  }

/**
 * Registers a development wallet for Solana with this page, by Wallet Standard. Its key is created in this browser,
 * its funds come from the sandbox's faucet, and its payments are real transactions on the sandbox's cluster. It signs
 * payments only, and does not connect to a service that is no sandbox.
 *
 * @returns A function that removes the wallet.
 * @example
 * ```ts
 * import { getSandboxSolana, registerSolanaSandboxWallet } from 'kassa/sandbox'
 * import { solana } from 'kassa/solana'
 *
 * const baseUrl = 'http://localhost:4000/api'
 * registerSolanaSandboxWallet({ baseUrl })
 *
 * export const onSolana = solana(await getSandboxSolana({ baseUrl }))
 * ```
 */
export const registerSolanaSandboxWallet = ({
  baseUrl,
  storage = openStorage(),
  confirm,
}: SolanaSandboxWalletParameters): (() => void) => {
  const opened = openLater(baseUrl, storage)
  const { getAccounts, features } = createConnection(storage, opened)
  const sign = createSign(opened, () => getAccounts().length > 0, confirm)
  const send = async (node: SolanaNode, input: SendInput) => {
    const { signature, signedTransaction } = await sign(input)
    await node.send(toBase64(signedTransaction))
    return { signature }
  }
  return registerWallet({
    version,
    name,
    icon,
    chains: [chain],
    get accounts() {
      return getAccounts()
    },
    features: {
      ...features,
      'solana:signTransaction': {
        version,
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: (...inputs) => Promise.all(inputs.map(sign)),
      },
      'solana:signAndSendTransaction': {
        version,
        supportedTransactionVersions: ['legacy', 0],
        signAndSendTransaction: async (...inputs) => {
          const { node } = await opened.getSandbox()
          return Promise.all(inputs.map((input) => send(node, input)))
        },
      },
    },
  })
}
