import { act } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { type HydrationOptions, hydrateRoot, type Root } from 'react-dom/client'

/** Takes over what the server rendered, as an app in development does: twice, and with its effects undone once. */
export const hydrate = (container: Element, node: ReactNode, options?: HydrationOptions): Promise<Root> =>
  act(async () => hydrateRoot(container, <StrictMode>{node}</StrictMode>, options))
