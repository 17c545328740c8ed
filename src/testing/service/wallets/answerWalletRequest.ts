import { readJson, refuseMethod } from '../httpError.js'
import { identify, type ServiceCall, type ServiceMemory } from '../identify.js'
import { once } from '../once.js'
import type { Answer } from '../orderVerbs.js'
import type { TestWorld } from '../testWorld.js'
import { approveWalletTransaction } from './approveWalletTransaction.js'
import { createWalletTransaction } from './createWalletTransaction.js'
import { fundTestWallet } from './fundTestWallet.js'
import { getTestBalances } from './getTestBalances.js'
import { getTestCredential } from './getTestCredential.js'
import { listTestTokens } from './listTestTokens.js'
import { getWalletTransaction, listWalletTransactions } from './readTransactions.js'
import { createTestUserWallet, getTestUserWallet } from './walletVerbs.js'

/** What a path names, in its order: the wallet or the token first, a transaction second. */
type Named = readonly [first: string, second: string]

type Verb = {
  scope: string
  run(world: TestWorld, call: ServiceCall, named: Named): Answer | Promise<Answer>
}

type WalletPath = { pattern: RegExp; verbs: Readonly<Record<string, Verb>> }

const wallets = '/2022-06-09/wallets'

const tokens: WalletPath = {
  pattern: new RegExp(`^${wallets}/([^/]+)/nfts$`),
  verbs: {
    GET: {
      scope: 'wallets:nfts.read',
      run: (world, { query }, [identifier]) => listTestTokens(world, identifier, query),
    },
  },
}

const paths: readonly WalletPath[] = [
  {
    pattern: new RegExp(`^${wallets}$`),
    verbs: {
      POST: {
        scope: 'wallets.create',
        run: (world, { text }) => createTestUserWallet(world, readJson(text)),
      },
    },
  },
  {
    pattern: new RegExp(`^${wallets}/([^/]+)$`),
    verbs: {
      GET: { scope: 'wallets.read', run: (world, _, [locator]) => getTestUserWallet(world, locator) },
    },
  },
  tokens,
  {
    pattern: new RegExp(`^${wallets}/([^/]+)/transactions$`),
    verbs: {
      GET: {
        scope: 'wallets:transactions.read',
        run: (world, { query }, [locator]) => listWalletTransactions(world, locator, query),
      },
      POST: {
        scope: 'wallets:transactions.create',
        run: (world, { text }, [locator]) => createWalletTransaction(world, locator, readJson(text)),
      },
    },
  },
  {
    pattern: new RegExp(`^${wallets}/([^/]+)/transactions/([^/]+)$`),
    verbs: {
      GET: {
        scope: 'wallets:transactions.read',
        run: (world, _, [locator, id]) => getWalletTransaction(world, locator, id),
      },
    },
  },
  {
    pattern: new RegExp(`^${wallets}/([^/]+)/transactions/([^/]+)/approvals$`),
    verbs: {
      POST: {
        scope: 'wallets:transactions.sign',
        run: (world, { text, headers }, [walletLocator, transactionId]) => {
          const userAgent = headers.get('user-agent')
          const body = readJson(text)
          return approveWalletTransaction(world, { walletLocator, transactionId, body, userAgent })
        },
      },
    },
  },
  {
    pattern: /^\/v1-alpha2\/wallets\/([^/]+)\/balances$/,
    verbs: {
      GET: {
        scope: 'wallets:balance.read',
        run: (world, { query }, [locator]) => getTestBalances(world, locator, query),
      },
      POST: {
        scope: 'wallets.fund',
        run: (world, { text }, [locator]) => fundTestWallet(world, locator, readJson(text)),
      },
    },
  },
  {
    pattern: /^\/v1-alpha1\/nfts\/([^/]+)\/credentials$/,
    verbs: {
      GET: { scope: 'nfts.read', run: (world, _, [locator]) => getTestCredential(world, locator) },
    },
  },
]

/** Whether a call is refused by `{error: <text>}`. */
export const hasTextErrors = ({ path }: ServiceCall): boolean => tokens.pattern.test(path)

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Answers a call about wallets, what they hold and do; undefined for a path that is of something else. */
export const answerWalletRequest = (
  world: TestWorld,
  memory: ServiceMemory,
  call: ServiceCall,
): Answer | Promise<Answer> | undefined => {
  const path = paths.find(({ pattern }) => pattern.test(call.path))
  if (!path) return undefined
  const verb = path.verbs[call.method]
  if (!verb) throw refuseMethod(call.path, Object.keys(path.verbs))
  const caller = identify(memory, call, verb.scope)
  const [, first = '', second = ''] = path.pattern.exec(call.path) ?? []
  return once(memory, call, caller, () => verb.run(world, call, [decode(first), decode(second)]))
}
