'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'

export declare namespace CheckoutSubmit {
  /** State of {@link CheckoutSubmit}. */
  export type State = {
    /** Whether a change of the order is in progress. */
    isSaving: boolean
  }

  /** Props of {@link CheckoutSubmit}. */
  export type Props = PartProps<'button', CheckoutSubmit.State>
}

const select = (value: CheckoutValue) => {
  const { save, busy } = getMessages(value)
  const isSaving = Boolean(value.isEditing)
  return { isSaving, label: isSaving ? busy : save }
}

/** Renders a `<button>`. Submits its form. It stays focusable while the form is being saved. */
export function CheckoutSubmit(props: CheckoutSubmit.Props): ReactElement {
  const { label, ...state } = useCheckout('Submit', select)
  return useRender('button', 'submit', props, state, {
    type: 'submit',
    'aria-disabled': state.isSaving || undefined,
    children: label,
  })
}
