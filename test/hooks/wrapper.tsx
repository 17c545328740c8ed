import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { WagmiProvider } from 'wagmi'
import { CheckoutProvider } from '../../src/components/CheckoutProvider.js'
import type { Buyer } from '../helpers/createBuyer.js'

/** Renders a hook as a storefront would: inside wagmi, TanStack Query and the checkout, in StrictMode. */
export const renderBuyerHook = <Result,>(buyer: Buyer, useHook: () => Result) => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <WagmiProvider config={buyer.config} reconnectOnMount={false}>
      <QueryClientProvider client={buyer.queryClient}>
        <CheckoutProvider client={buyer.client} storage={buyer.storage} {...buyer.parameters.rules}>
          {children}
        </CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
  return renderHook(useHook, { wrapper, reactStrictMode: true })
}
