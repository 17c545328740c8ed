'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { type FieldState, useField } from './FormContext.js'

export declare namespace CheckoutFieldError {
  /** State of {@link CheckoutFieldError}. */
  export type State = FieldState

  /** Props of {@link CheckoutFieldError}. */
  export type Props = PartProps<'span', CheckoutFieldError.State>
}

/**
 * Renders a `<span>`. Says what is wrong with a field. The field takes the focus, and a screen reader reads
 * the error with it. Absent while the field is valid.
 */
export function CheckoutFieldError(props: CheckoutFieldError.Props): ReactElement | null {
  const { id, error, state } = useField('FieldError')
  const element = useRender('span', 'field-error', props, state, { id: `${id}-error`, children: error })
  return state.isInvalid ? element : null
}
