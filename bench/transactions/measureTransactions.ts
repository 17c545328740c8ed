import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from 'kassa/api'
import { createPublicClient, erc20Abi, getAddress, http } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import * as z from 'zod/mini'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import { startPostgres } from '../../service/test/helpers/startPostgres.js'
import { findNode } from '../latency/findNode.mjs'
import { openNode } from '../lib/buyers.js'
import { median, ratio } from '../lib/summary.mjs'
import type { Table } from '../report/table.mjs'
import { measureChain } from './measureChain.js'
import { chain, openWallet, type Sent } from './openWallet.js'

const dataDir = join(stateDir, 'bench/transactions')
const env = { KASSA_WRITES_PER_MINUTE: '1000000000', KASSA_READS_PER_MINUTE: '1000000000' }
const rounds = 3
const ones = 10
const many = 100
/** How many transactions there are at once on a chain with a pace, and what pace that is. */
const manyPaced = 300
const paceSeconds = 2
const confirmations = 5
const connections = 16

const Sandbox = z.looseObject({
  chains: z.record(
    z.string(),
    z.looseObject({ tokens: z.looseObject({ usdc: z.looseObject({ address: z.string() }) }) }),
  ),
})

type Kind = 'evm-smart-wallet' | 'evm-mpc-wallet'
type Round = { floor: Sent; paced: Sent } & Record<Kind, { one: Sent; many: Sent }>

const perSecond = ({ count, totalMs }: Sent): number => (count * 1000) / totalMs

const openKind = async ({ serviceUrl, sandbox }: RunningService, type: Kind) => {
  const told: unknown = await (await fetch(`${serviceUrl}/sandbox`)).json()
  const token = getAddress(z.parse(Sandbox, told).chains[chain]?.tokens.usdc.address ?? '')
  const to = privateKeyToAddress(generatePrivateKey())
  const node = createPublicClient({ cacheTime: 0, transport: http(`${serviceUrl}/rpc/${chain}`) })
  const client = createClient({ baseUrl: `${serviceUrl}/api`, apiKey: sandbox.serverKey, timeoutMs: 120_000 })
  const readUnits = () =>
    node.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [to] })
  const countTransactions = async () => {
    const first = (await node.getBlockNumber()) + 1n
    return async () => {
      let count = 0
      const last = await node.getBlockNumber()
      for (let blockNumber = first; blockNumber <= last; blockNumber++)
        count += await node.getBlockTransactionCount({ blockNumber })
      return count
    }
  }
  const wallet = await openWallet({ client, type, token, to, readUnits, countTransactions })
  // The first one puts the contracts of wallets on the chain.
  await wallet.oneByOne(1)
  return wallet
}

const measureWallet = async (running: RunningService, type: Kind) => {
  const wallet = await openKind(running, type)
  return { one: await wallet.oneByOne(ones), many: await wallet.atOnce(many, connections) }
}

const withService = async <Result>(
  databaseUrl: string,
  more: Record<string, string>,
  work: (running: RunningService) => Promise<Result>,
): Promise<Result> => {
  rmSync(dataDir, { recursive: true, force: true })
  const running = await startService({ dataDir, env: { ...env, DATABASE_URL: databaseUrl, ...more } })
  return work(running).finally(() => running.stop())
}

/** A chain that makes its blocks by the clock. */
const measurePaced = async (running: RunningService): Promise<Sent> => {
  const node = openNode(`http://${await findNode(running, dataDir, chain)}`)
  const wallet = await openKind(running, 'evm-mpc-wallet')
  await node.setAutomine(false)
  await node.setIntervalMining({ interval: paceSeconds })
  return wallet.atOnce(manyPaced, connections)
}

/** One round of the service, and one of the bare chain: each has the machine to itself. */
const measureRound = async (createDatabase: () => Promise<string>): Promise<Round> => {
  const served = await withService(await createDatabase(), {}, async (running) => {
    const smart = await measureWallet(running, 'evm-smart-wallet')
    return { 'evm-smart-wallet': smart, 'evm-mpc-wallet': await measureWallet(running, 'evm-mpc-wallet') }
  })
  const depth = { KASSA_CHAINS: chain, KASSA_CONFIRMATIONS_BASE_SEPOLIA: `${confirmations}` }
  const paced = await withService(await createDatabase(), depth, measurePaced)
  return { ...served, paced, floor: await measureChain(many, privateKeyToAddress(generatePrivateKey())) }
}

/** Measures rounds, one after the other, and tells the median of each. */
export const measureTransactions = async (): Promise<Table[]> => {
  const measured: Round[] = []
  const postgres = await startPostgres()
  try {
    for (let round = 0; round < rounds; round++) {
      const found = await measureRound(postgres.createDatabase)
      const all = [found['evm-smart-wallet'].many, found['evm-mpc-wallet'].many, found.paced, found.floor]
      say(`  ${round + 1} of ${rounds}: ${all.map((sent) => perSecond(sent).toFixed(0)).join(', ')} a second`)
      measured.push(found)
    }
  } finally {
    await postgres.stop()
  }
  const row = (title: string, of: (round: Round) => Sent): string[] => {
    const rates = measured.map((round) => perSecond(of(round)))
    return [
      title,
      median(rates).toFixed(1),
      `${Math.min(...rates).toFixed(1)} to ${Math.max(...rates).toFixed(1)}`,
      median(measured.map((round) => of(round).count / of(round).landedIn)).toFixed(1),
      ratio(median(measured.map((round) => perSecond(of(round)) / perSecond(round.floor))), 1),
    ]
  }
  const lone = (kind: Kind) => median(measured.flatMap((round) => round[kind].one.eachMs)).toFixed(0)
  return [
    {
      title: `Transactions of one wallet per second: ${rounds} rounds, medians`,
      head: ['', 'a second', 'least to most', 'in one of the chain’s', 'beside the floor'],
      rows: [
        row(`smart wallet, ${ones} in a row`, (round) => round['evm-smart-wallet'].one),
        row(`smart wallet, ${many} at once`, (round) => round['evm-smart-wallet'].many),
        row(`custodial account, ${ones} in a row`, (round) => round['evm-mpc-wallet'].one),
        row(`custodial account, ${many} at once`, (round) => round['evm-mpc-wallet'].many),
        row(
          `custodial account, ${manyPaced} at once, blocks of ${paceSeconds} s, ${confirmations} confirmations`,
          ({ paced }) => paced,
        ),
        row('the chain alone, a transaction each', ({ floor }) => floor),
      ],
      notes: [
        `A lone transaction of a smart wallet takes ${lone('evm-smart-wallet')} ms from the request to its end, one of a custodial account ${lone('evm-mpc-wallet')} ms, which first receives money for gas: medians of ${rounds * ones}. The service simulates each before it accepts it, signs it, and sends it at most once. It runs as a process of its own on PostgreSQL, with its chain on the same machine.`,
        'The second column from the right counts all transactions of the chain, also those that bring gas. A transaction of an account is one of the chain’s, and those that wait together share the one that brings their gas.',
        'The floor sends the same call to the same node, signed beforehand, from one account with nonces counted in memory. It simulates nothing, stores nothing and sends no events. Below 1 × is slower than the floor.',
      ],
    },
  ]
}
