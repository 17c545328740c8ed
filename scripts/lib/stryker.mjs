import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, stateDir } from './paths.mjs'
import { say } from './steps.mjs'

/**
 * What StrykerJS mutates, the tests it runs, and the share of the mutants that it tries where there are many.
 * @type {Record<string, { mutate: string[], tests: string[], share?: number }>}
 */
export const areas = {
  orders: {
    mutate: [
      'src/engine/order/{transition,applyDelivery,applyPayment,applyQuote,applySweep}.ts',
      'src/engine/order/{settle,newOrder,convert,quote,orderEvents}.ts',
    ],
    tests: ['test/engine/order/{transition,moneyEvents,listProceeds,quote,orderEventsOfAnyOrder}.test.ts'],
    share: 0.12,
  },
  ledger: {
    mutate: ['service/src/sale/ledger/{sumLedger,formatLedger}.ts'],
    tests: ['service/test/sale/ledger/{sumLedger,formatLedger}.test.ts'],
  },
  payments: {
    mutate: ['service/src/base/watch/{scanRange,reorgDepth}.ts', 'service/src/sale/payments/pack.ts'],
    tests: [
      'service/test/base/watch/{scanRange,reorgDepth}.test.ts',
      'service/test/sale/payments/pack.test.ts',
    ],
  },
  jobs: {
    mutate: [
      'service/src/adapters/jobs/{limitChains,createBulkhead,jobSlots,runQueue}.ts',
      'src/engine/nextAttempt.ts',
    ],
    tests: [
      'service/test/adapters/jobs/{limitChains,createBulkhead,runQueue}.test.ts',
      'test/engine/nextAttempt.test.ts',
    ],
  },
  chain: {
    mutate: [
      'src/chain/evm/{calls,checkPayment,findToken}.ts',
      'src/chain/{attemptStore,line}.ts',
      'src/chain/evm/{orderAddresses,preparation,revert,rules,tokens,walletError,causes,isRejection,rpcError}.ts',
    ],
    tests: ['test/chain/evm/*.test.ts', 'test/chain/attemptStore.test.ts'],
  },
  engine: {
    mutate: ['src/engine/payment/*.ts'],
    tests: ['test/engine/payment/*.test.ts'],
  },
  pay: {
    mutate: [
      'src/pay/{agreePrice,approvePayment,askWallet,payContext,payOrder}.ts',
      'src/pay/{reportChecked,evm/sendPayment,evm/simulatePayment}.ts',
    ],
    tests: [
      'test/pay/{agreePrice,hostile,reportChecked,checks,quote,payOrder}.test.ts',
      'test/pay/evm/{contractWallet,legacyChain,wallet}.test.ts',
    ],
    share: 0.3,
  },
  follow: {
    mutate: [
      'src/pay/{awaitSettlement,confirmPayment,createPayment,keepQuote}.ts',
      'src/pay/{resumeAttempt,resumePayment,searchPayment}.ts',
      'src/pay/{uncertain,watchUncertain,withOrderLock}.ts',
      'src/pay/evm/{findCalls,findPayment,findReplacement,followTransaction}.ts',
    ],
    tests: [
      'test/pay/{awaitSettlement,confirmPayment,keepQuote,payOrder,searchPayment}.test.ts',
      'test/pay/evm/{findPayment,findReplacement,followTransaction}.test.ts',
    ],
    share: 0.3,
  },
  solana: {
    mutate: [
      'src/chain/solana/{attempt,checkSolanaPayment,message,tokens,transaction,transfer}.ts',
      'src/engine/solana/{curve,orderAccounts}.ts',
      'src/pay/solana/{createWallets,walletStandard}.ts',
    ],
    tests: [
      'test/chain/solana/*.test.ts',
      'test/engine/solana/orderAccounts.test.ts',
      'test/pay/solana/{createWallets,hostile}.test.ts',
    ],
    share: 0.4,
  },
  'solana-pay': {
    mutate: ['src/pay/solana/{askWallet,findPayment,followTransaction,node,openSolana,simulatePayment}.ts'],
    tests: ['test/pay/solana/{findPayment,network,payOrder,reload,wallet}.test.ts'],
    share: 0.15,
  },
  outbox: {
    mutate: [
      'service/src/adapters/chains/evm/outbox/{outbox,signed,signCall,broadcast,findNonceUse}.ts',
      'service/src/adapters/chains/evm/outbox/{reopenSigned,abandonSigned,settleReopened,keepRefusal}.ts',
      'service/src/adapters/chains/evm/connection/fees.ts',
    ],
    tests: [
      'service/test/adapters/chains/evm/{broadcast,fees,findNonceUse,outbox,reopenSigned,settleReopened}.test.ts',
      'service/test/adapters/chains/evm/{createRecovery,replaceStuck,signCall,signed}.test.ts',
    ],
    share: 0.1,
  },
}

/** The lowest score that an area may have, in percent. */
const lowestScore = 85

/**
 * @typedef {{ status: string, mutatorName: string, replacement?: string, location: { start: { line: number } } }} Mutant
 * @typedef {{ files: Record<string, { source: string, mutants: Mutant[] }> }} Report
 */

/** @param {Mutant[]} mutants @param {string[]} statuses */
const count = (mutants, ...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length

/** @param {string} name @param {Mutant[]} mutants */
const describe = (name, mutants) => {
  const killed = count(mutants, 'Killed', 'Timeout')
  const survived = count(mutants, 'Survived', 'NoCoverage')
  const score = killed + survived === 0 ? 100 : (100 * killed) / (killed + survived)
  return {
    row: `| ${name} | ${killed + survived} | ${killed} | ${survived} | ${score.toFixed(1)} % |`,
    score,
  }
}

/**
 * Mutates one area by StrykerJS and prints its table and survivors.
 * @param {string} name
 * @returns {Promise<boolean>} whether the score is high enough
 */
export const mutateArea = async (name) => {
  const area = areas[name]
  if (!area) throw new Error(`There is no area ${name}.`)
  const folder = join(stateDir, 'mutation')
  mkdirSync(folder, { recursive: true })
  const config = join(folder, `${name}.config.json`)
  const report = join(folder, `${name}.json`)
  const results = join(folder, `${name}.jsonl`)
  rmSync(results, { force: true })
  const startedAt = performance.now()
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'vitest-with-hooks',
      plugins: ['@stryker-mutator/vitest-runner', join(root, 'scripts/lib/strykerSample.mjs')],
      checkers: ['sample'],
      vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
      mutate: area.mutate,
      coverageAnalysis: 'perTest',
      ignoreStatic: true,
      concurrency: 1,
      timeoutMS: 30_000,
      dryRunTimeoutMinutes: 20,
      tempDirName: join('.kassa', 'mutation', `${name}.tmp`),
      ignorePatterns: ['.kassa', 'dist', 'service/dist', 'stories', 'examples', 'bench', 'docs', '.git'],
      // TypeScript 7 has no interface that StrykerJS could read a configuration by.
      tsconfigFile: 'none',
      reporters: ['json', 'results'],
      jsonReporter: { fileName: report },
      allowEmpty: false,
    }),
  )
  const stryker = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const env = {
    ...process.env,
    KASSA_MUTATION_TESTS: area.tests.join(';'),
    KASSA_MUTATION_SHARE: process.env.KASSA_MUTATION_SHARE ?? String(area.share ?? 1),
    KASSA_MUTATION_RESULTS: results,
  }
  await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [stryker, 'run', config], { cwd: root, env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('exit', (status) =>
      status === 0 ? resolve(undefined) : reject(new Error(`StrykerJS ended with status ${status}.`)),
    )
  })
  /** @type {Report} */
  const { files } = JSON.parse(readFileSync(report, 'utf8'))
  const all = describe(
    'all',
    Object.values(files).flatMap(({ mutants }) => mutants),
  )
  const lines = [
    '| file | mutants | killed | survived | score |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...Object.entries(files).map(([file, { mutants }]) => describe(file, mutants).row),
    all.row,
    '',
    ...Object.entries(files).flatMap(([file, { source, mutants }]) =>
      mutants
        .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
        .map(({ status, mutatorName, replacement = '', location: { start } }) => {
          const line = source.split('\n')[start.line - 1]?.trim()
          return `${status}: ${file}:${start.line} ${mutatorName}  ${line}  →  ${replacement.replace(/\s+/g, ' ')}`
        }),
    ),
    '',
    `${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`,
  ]
  say(lines.join('\n'))
  return all.score >= lowestScore
}
