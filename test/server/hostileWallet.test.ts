import fc from 'fast-check'
import { createWalletHandler } from 'kassa/server'
import { expect, test } from 'vitest'
import { walletAddress, walletFixture } from '../helpers/walletFixtures.js'

type Sent = { path: string; method: string; key: string | null; body: string }

const user = 'email:ada@example.com'

/** Of a token that Eve holds. */
const credential = {
  '@context': [],
  id: 'urn:uuid:1',
  type: ['VerifiableCredential'],
  issuer: { id: `did:pkh:eip155:84532:${walletAddress}` },
  credentialSubject: { id: `did:pkh:eip155:84532:0x${'ee'.repeat(20)}` },
  nft: { tokenId: '1', chain: 'base-sepolia', contractAddress: walletAddress },
  issuanceDate: '2026-02-01T00:00:00.000Z',
  proof: { type: 'x', created: 'x', proofPurpose: 'x', verificationMethod: 'x', proofValue: '0x' },
}

/** A handler where Ada is signed in, and what reaches the service through it. */
const open = () => {
  const sent: Sent[] = []
  const told: unknown[] = []
  const handle = createWalletHandler({
    baseUrl: 'http://service.test/api',
    apiKey: 'sk_staging_x',
    user: () => user,
    onError: (error) => void told.push(error),
    fetch: async (input, init) => {
      const url = new URL(String(input))
      sent.push({
        path: url.pathname,
        method: init?.method ?? 'GET',
        key: new Headers(init?.headers).get('x-idempotency-key'),
        body: String(init?.body ?? ''),
      })
      return Response.json(/credentials$/.test(url.pathname) ? { value: credential } : walletFixture)
    },
  })
  return { handle, sent, told }
}

const piece = fc.oneof(
  fc.constantFrom(
    '2022-06-09',
    'v1-alpha1',
    'v1-alpha2',
    'wallets',
    'nfts',
    'transactions',
    'approvals',
    'balances',
    'credentials',
    'collections',
    'orders',
    '..',
    '%2e%2e',
    '%2F',
    'me:evm-smart-wallet',
    'me%3Aevm-mpc-wallet',
    'me:base',
    'me:me:base',
    'me:email:eve@example.com:base',
    'email:eve@example.com:evm-smart-wallet',
    'email:eve@example.com:base',
    walletAddress,
    `base:${walletAddress}`,
    `base:0x${'ee'.repeat(20)}`,
    'me:base%00',
    'me:base%0D%0Ax-api-key:1',
    'me:base?x=1',
    'me:base#x',
    '0b9f1c52-2b5e-4f0c-9a36-6f0c7d0f4a10',
    '__proto__',
  ),
  fc.string({ maxLength: 12 }),
)
const likely = fc
  .tuple(
    fc.oneof(fc.constantFrom('me:evm-smart-wallet', 'me%3Aevm-mpc-wallet', 'me:base'), piece),
    fc.constantFrom('', '/transactions', '/nfts', '/transactions/1', '/transactions/1/approvals'),
  )
  .map(([wallet, rest]) => `/2022-06-09/wallets/${wallet}${rest}`)
const anyPath = fc.oneof(
  fc.constant('/2022-06-09/wallets'),
  { arbitrary: likely, weight: 4 },
  piece.map((token) => `/v1-alpha1/nfts/${token}/credentials`),
  fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join('/')}`),
)
const field = fc.constantFrom(
  'type',
  'config',
  'linkedUser',
  'params',
  'approvals',
  '__proto__',
  'constructor',
)
const arbitraryBody = fc.oneof(
  fc.constant('{"type":"evm-smart-wallet","linkedUser":"email:eve@example.com"}'),
  fc.constant(`{"params":{"chain":"base","calls":[{"to":"${walletAddress}","value":"0","data":"0x"}]}}`),
  fc.constant(`{"params":{"chain":"base","call":{"to":"${walletAddress}","data":"0x"}}}`),
  fc.constant(`{"approvals":[{"signer":"${walletAddress}","signature":"0x00"}]}`),
  fc.dictionary(field, fc.jsonValue(), { maxKeys: 3 }).map((body) => JSON.stringify(body)),
  fc.string(),
)

const own = encodeURIComponent(user)
/** All that may ever be asked in Ada's name. */
const allowed = [
  /^POST \/api\/2022-06-09\/wallets$/,
  new RegExp(`^(GET|POST) /api/2022-06-09/wallets/${own}%3Aevm-(smart|mpc)-wallet(/transactions)?$`),
  new RegExp(`^GET /api/2022-06-09/wallets/${own}%3Aevm-(smart|mpc)-wallet/transactions/[\\w-]+$`),
  new RegExp(`^POST /api/2022-06-09/wallets/${own}%3Aevm-(smart|mpc)-wallet/transactions/[\\w-]+/approvals$`),
  new RegExp(`^GET /api/v1-alpha2/wallets/${own}%3Aevm-(smart|mpc)-wallet/balances$`),
  new RegExp(`^GET /api/2022-06-09/wallets/(${own}%3A[a-z0-9-]+|[a-z0-9-]+%3A${walletAddress})/nfts$`),
  /^GET \/api\/v1-alpha1\/nfts\/[^/?#]+\/credentials$/,
]

test('behavior: whatever a browser asks for, the service is asked for what is the user’s own', async () => {
  const { handle, sent, told } = open()
  let passed = 0
  let foreign = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'GET', 'POST', 'POST', 'PATCH', 'DELETE'),
      anyPath,
      arbitraryBody,
      async (method, path, body) => {
        sent.length = 0
        let request: Request
        try {
          request = new Request(`https://shop.example/api/wallet${path}`, {
            method,
            headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
            ...(method !== 'GET' && { body }),
          })
        } catch {
          // No browser can ask for that.
          return
        }
        const response = await handle(request)
        const { status } = response
        expect(status).toBeLessThan(500)
        if (status === 200) expect(await response.text()).not.toContain('VerifiableCredential')
        foreign += sent.filter(({ path }) => path.endsWith('/credentials')).length
        passed += status === 200 ? 1 : 0
        for (const one of sent) {
          const asked = `${one.method} ${one.path}`
          expect(allowed.some((known) => known.test(asked)) ? 'allowed' : asked).toBe('allowed')
          if (one.path.endsWith('/wallets')) expect(JSON.parse(one.body).linkedUser).toBe(user)
        }
      },
    ),
    { numRuns: 3_000 },
  )
  expect(told).toEqual([])
  // A property of which every case is refused would say nothing.
  expect(passed).toBeGreaterThan(0)
  expect(foreign).toBeGreaterThan(0)
})
