import { cpSync } from 'node:fs'
import { join } from 'node:path'
import * as own from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { privateDir, stateDir } from '../../scripts/lib/paths.mjs'
import { CheckoutProvider, createClient, isKassaError } from '../../src/index.js'
import { WalletProvider } from '../../src/wallet/index.js'
import { root } from '../helpers/sources.js'

const client = createClient({ baseUrl: 'https://pay.example/api' })

/** Loads a second copy of TanStack Query, as an app has that installed two versions. */
const loadCopy = async (): Promise<typeof own> => {
  const folder = join(privateDir(join(stateDir, 'copies')), 'react-query')
  cpSync(join(root, 'node_modules/@tanstack/react-query'), folder, { recursive: true })
  return import(/* @vite-ignore */ join(folder, 'build/modern/index.js'))
}

const catchRender = (node: ReactNode): unknown => {
  try {
    render(node)
    return undefined
  } catch (error) {
    return error
  }
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => vi.restoreAllMocks())

describe.each([
  ['CheckoutProvider', <CheckoutProvider key="checkout" client={client} children={<p>below</p>} />],
  ['WalletProvider', <WalletProvider key="wallet" client={client} children={<p>below</p>} />],
])('%s', (name, provider) => {
  test('error: config.query-client-missing', () => {
    const error = catchRender(provider)
    expect(isKassaError(error, 'config.query-client-missing')).toBe(true)
    expect(error).toMatchObject({ context: { name } })
  })

  test('error: config.query-client-missing where another copy of TanStack Query is provided, and names it as a cause', async () => {
    const { QueryClient, QueryClientProvider } = await loadCopy()
    expect(QueryClientProvider).not.toBe(own.QueryClientProvider)
    const error = catchRender(
      <QueryClientProvider client={new QueryClient()}>{provider}</QueryClientProvider>,
    )
    expect(isKassaError(error, 'config.query-client-missing')).toBe(true)
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /two copies.*npm ls @tanstack\/react-query.*errors\/config\.query-client-missing\.md/,
      ),
    })
  })

  test('error: config.client-missing', () => {
    const Provider = provider.type as (props: { client: undefined }) => null
    const error = catchRender(
      <own.QueryClientProvider client={new own.QueryClient()}>
        <Provider client={undefined} />
      </own.QueryClientProvider>,
    )
    expect(isKassaError(error, 'config.client-missing')).toBe(true)
    expect(error).toMatchObject({ context: { name } })
  })

  test('behavior: inside the provider of its own copy it renders', () => {
    const inside = (
      <own.QueryClientProvider client={new own.QueryClient()}>{provider}</own.QueryClientProvider>
    )
    expect(catchRender(inside)).toBe(undefined)
  })
})
