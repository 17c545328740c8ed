import { QueryClient } from '@tanstack/react-query'
import { custom, type Hex, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { createConfig } from 'wagmi'
import { connect } from 'wagmi/actions'
import { createClient } from '../../../src/api/index.js'
import { createMemoryStorage, createPaymentAttemptStore } from '../../../src/chain/index.js'
import { getPayment, type PayStep } from '../../../src/query.js'
import { expiresAt, orderId, payer } from '../../chain/evm/payable.js'
import { scriptedConnector } from '../../helpers/scriptedConnector.js'
import { createScriptedWallet, ProviderError } from '../../helpers/scriptedWallet.js'
import type { Mutation } from './mutation.js'
import type { Scenario } from './scenario.js'

const plenty: Hex = `0x${'f'.repeat(24).padStart(64, '0')}`
const block = {
  number: '0x10',
  baseFeePerGas: '0x1',
  timestamp: '0x1',
  transactions: [],
  gasLimit: '0x1c9c380',
}

/** A node that agrees to everything: whatever is stopped here, was stopped by the checks. */
const answers: Readonly<Record<string, unknown>> = {
  eth_chainId: numberToHex(baseSepolia.id),
  eth_blockNumber: '0x10',
  eth_getBalance: plenty,
  eth_getTransactionCount: '0x5',
  eth_getCode: '0x',
  eth_call: plenty,
  eth_estimateGas: '0x15f90',
  eth_gasPrice: '0x1',
  eth_maxPriorityFeePerGas: '0x1',
  eth_getBlockByNumber: block,
  eth_getLogs: [],
}

/**
 * Everything but the service: a buyer's wallet that declines, a node, a clock that stands still.
 *
 * @param call - Answers the calls of contracts in place of a node that answers plenty to all; undefined leaves them to it.
 */
export const createWorld = async (call: (data: string) => Hex | undefined = () => undefined) => {
  const wallet = createScriptedWallet({
    account: privateKeyToAccount(generatePrivateKey()),
    chainId: baseSepolia.id,
    rpcUrls: {},
  })
  wallet.script.accounts = [payer]
  wallet.script.onSend = () => Promise.reject(new ProviderError(4001, 'declined'))
  wallet.script.onRequest = (method) =>
    method === 'eth_signTypedData_v4' ? Promise.reject(new ProviderError(4001, 'declined')) : undefined
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const [called] = (params ?? []) as [{ data?: string }?]
    const answered = method === 'eth_call' ? call(called?.data ?? '') : undefined
    if (answered !== undefined) return answered
    if (!Object.hasOwn(answers, method)) throw new ProviderError(-32601, method)
    return answers[method]
  }
  const config = createConfig({
    chains: [baseSepolia],
    connectors: [scriptedConnector(wallet)],
    transports: { [baseSepolia.id]: custom({ request }, { retryCount: 0 }) },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
  const [connector] = config.connectors
  if (!connector) throw new Error('no connector')
  await connect(config, { connector })

  /** One purchase from a service that answers as it likes. */
  const pay = async ({ rules }: Pick<Scenario, 'rules'>, mutation: Mutation) => {
    wallet.asked.length = 0
    let asked = 0
    const answer = async (): Promise<Response> => {
      const body = mutation.answers[Math.min(asked, mutation.answers.length - 1)]
      asked += 1
      return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
    }
    const client = createClient({ baseUrl: 'http://hostile.test/api', fetch: answer })
    const queryClient = new QueryClient()
    const parameters = {
      orderId,
      clientSecret: 'secret',
      config,
      client,
      queryClient,
      rules,
      attemptStore: createPaymentAttemptStore(createMemoryStorage()),
      now: () => Date.parse(expiresAt) - 300_000,
    }
    const step: PayStep = await getPayment(queryClient, client, orderId).pay(parameters, {
      total: mutation.total,
    })
    queryClient.clear()
    return { step, asked: [...wallet.asked] }
  }
  return { pay }
}
