import { setTimeout as sleep } from 'node:timers/promises'
import { http, keccak256 } from 'viem'
import { baseSepolia, mainnet } from 'viem/chains'
import { createConfig } from 'wagmi'
import { connect } from 'wagmi/actions'
import { getOrder } from '../../src/api/index.js'
import { createBuyer } from '../helpers/createBuyer.js'
import { scriptedConnector } from '../helpers/scriptedConnector.js'
import { createRequests } from './askedWallet.js'
import { createAudit, findPaymentLogs, type PaymentLogs } from './audit.js'
import type { Gate } from './gate.js'
import { readWhole } from './line.js'
import { createSecondThoughts } from './secondThoughts.js'
import { patienceMs, type Side, type SideParameters } from './side.js'

const startWei = 10n ** 18n
const startTokens = 1_000_000_000n

const readMethod = (init: RequestInit | undefined): string =>
  `node ${(JSON.parse(String(init?.body)) as { method: string }).method}`

/** Opens a purchase that is paid on an EVM chain. */
export const openEvmSide = async ({ shop, random, clock, note }: SideParameters): Promise<Side> => {
  const currency = random.choose({ eth: 85, usdc: 15 })
  const buyer = await createBuyer(shop.address, {
    currency,
    nativeWei: startWei,
    ...(random.chance(0.15) && { walletChainId: mainnet.id }),
  })
  const { account, wallet, parameters, clientSecret, client, storage } = buyer
  const { orderId } = parameters
  note(`order ${orderId} in ${currency}`)
  if (currency === 'usdc') await shop.mintTokens('usdc', startTokens, account.address)
  const thoughts = createSecondThoughts({ shop, account, clock, note })
  const requests = createRequests(clock, random.fork('wallet'), note, thoughts)
  wallet.script.onBroadcast = (signed, broadcast) => requests.relay(keccak256(signed), broadcast)
  const logs = await findLogs(() => getOrder(client, { orderId, clientSecret }))
  const audit = createAudit(shop, account.address)
  let feesWei = 0n

  const gateProvider = (gate: Gate): typeof wallet.provider => {
    const { provider } = wallet
    type Call = { method: string; params?: unknown }
    const send = (call: Call) => provider.request(call as never) as Promise<`0x${string}`>
    const request = (call: Call) =>
      gate.ask(call.method, () =>
        call.method === 'eth_sendTransaction'
          ? requests.ask(gate, () => send(call))
          : clock.during(() => send(call)),
      )
    return { ...provider, request: request as typeof provider.request }
  }

  return {
    orderId,
    clientSecret,
    client,
    storage,
    requests,
    openChains: (gate, name) => {
      const askNode: typeof fetch = (input, init) =>
        gate.ask(readMethod(init), () => clock.during(() => readWhole(fetch(input, init))))
      const config = createConfig({
        chains: [baseSepolia],
        connectors: [scriptedConnector({ ...wallet, provider: gateProvider(gate) })],
        transports: {
          [baseSepolia.id]: http(shop.address.rpcUrl, { fetchFn: askNode }),
        },
        pollingInterval: 50,
        storage: null,
        multiInjectedProviderDiscovery: false,
      })
      const [connector] = config.connectors
      if (connector) {
        connect(config, { connector }).catch((error) => note(`${name}: not connected: ${error}`))
      }
      return { config, rules: shop.address.rules }
    },
    settle: async () => {
      feesWei = await audit.readFees(requests.requests.filter(({ txId }) => txId !== undefined))
    },
    countPayments: () => audit.countPayments(logs),
    countDelivered: audit.countDelivered,
    findMissingMoney: async () => {
      // All but one payment comes back.
      const { token, units } = logs
      const expected = token
        ? { nativeWei: startWei - feesWei, tokenUnits: startTokens - units }
        : { nativeWei: startWei - feesWei - units, tokenUnits: 0n }
      const actual = await audit.awaitBalances(expected, token, patienceMs)
      if (actual.nativeWei === expected.nativeWei && actual.tokenUnits === expected.tokenUnits)
        return undefined
      const show = (kept: typeof expected): string =>
        `${kept.nativeWei} wei and ${kept.tokenUnits} of a token`
      return `the buyer has ${show(actual)} instead of ${show(expected)}`
    },
  }
}

/** Waits until the order can be paid, and reads where. */
const findLogs = async (read: () => ReturnType<typeof getOrder>): Promise<PaymentLogs> => {
  const endMs = Date.now() + patienceMs
  while (Date.now() < endMs) {
    const logs = findPaymentLogs(await read())
    if (logs) return logs
    await sleep(50)
  }
  throw new Error('the order cannot be paid')
}
