'use client'

import {
  type ComponentType,
  createElement,
  memo,
  type ReactNode,
  Suspense,
  use,
  useState,
  useSyncExternalStore,
} from 'react'
import { loadError } from '../../errors/loadError.js'
import { createLateModule, type LateModule } from '../../internal/createLateModule.js'
import type { PanelStates } from './panelStates.js'
import { ErrorElement } from './progress/ErrorElement.js'
import { useCheckout } from './RootContext.js'
import { type CheckoutValue, getMessages } from './value.js'

const select = (value: CheckoutValue) => ({ messages: getMessages(value) })
const hasNotFailed = (): boolean => false

type LateProps<Props extends object> = {
  module: LateModule<PanelStates>
  pick(states: PanelStates): ComponentType<Props>
  /** Whether the buyer waits for it, and so is told if it cannot be loaded. */
  isAwaited?: boolean
}

/** Creates the component of a state that may load later. What a server rendered of it stays until it has loaded. */
const createLate = <Props extends object>({
  module,
  pick,
  isAwaited = false,
}: LateProps<Props>): ComponentType<Props> => {
  const pickLoaded = (): ComponentType<Props> | undefined => {
    const states = module.get()
    return states && pick(states)
  }
  const Loading = (props: Props): ReactNode => createElement(pick(use(module.loaded)), props)
  const fallback = isAwaited ? <NotLoaded module={module} /> : null
  const Late = (props: Props): ReactNode => {
    // Decided once, because another component in its place would lose what the buyer has typed.
    const [Loaded] = useState(pickLoaded)
    return <Suspense fallback={fallback}>{createElement(Loaded ?? Loading, props)}</Suspense>
  }
  // React drops what a server rendered if this renders again before the module is there.
  return memo(Late)
}

/** Stands in for a state that could not be loaded, until another attempt loads it. */
function NotLoaded({ module }: { module: LateModule<PanelStates> }) {
  const { messages } = useCheckout('Panel', select)
  const [error] = useState(() => loadError('api.not-loaded', {}))
  const hasFailed = useSyncExternalStore(module.subscribe, module.hasFailed, hasNotFailed)
  return hasFailed ? <ErrorElement error={error} message={messages.unreachable} /> : null
}

/** The components of a panel's states, each of which shows once the module of all has loaded. */
export type LateStates = { module: LateModule<PanelStates>; states: PanelStates }

/** Creates the states of a panel that load after its first paint. */
export const createLateStates = (importStates: () => Promise<PanelStates>): LateStates => {
  const module = createLateModule(importStates)
  const states: PanelStates = {
    Forms: createLate({ module, pick: ({ Forms }) => Forms, isAwaited: true }),
    CheckoutRecipientForm: createLate({
      module,
      pick: (loaded) => loaded.CheckoutRecipientForm,
      isAwaited: true,
    }),
    CheckoutReceipt: createLate({ module, pick: (loaded) => loaded.CheckoutReceipt, isAwaited: true }),
    // A panel is complete without these.
    CheckoutPromotionForm: createLate({ module, pick: (loaded) => loaded.CheckoutPromotionForm }),
    CheckoutProgress: createLate({ module, pick: (loaded) => loaded.CheckoutProgress }),
    CheckoutTransactionLink: createLate({ module, pick: (loaded) => loaded.CheckoutTransactionLink }),
    TransferDetails: createLate({ module, pick: (loaded) => loaded.TransferDetails }),
  }
  return { module, states }
}
