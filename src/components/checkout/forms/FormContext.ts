'use client'

import { createContext, useContext } from 'react'
import { partError } from '../../../errors/partError.js'
import { useCheckoutStore } from '../RootContext.js'
import type { WrongFields } from './checkForm.js'
import type { CheckoutFieldName } from './fields.js'

/** What a form provides to its fields. */
export type FormContextValue = {
  wrong: WrongFields
  /** The fields' initial values. */
  offered: { [Name in CheckoutFieldName]?: string | undefined }
  /** The country that is chosen in the form, as a code. */
  country?: string | undefined
  /** Checks a field again while the buyer types. */
  recheck(name: CheckoutFieldName, text: string): void
  /** The sentence of its submit button. */
  save: 'save' | 'sendRefund'
}

/** Provides a form to the fields inside it. Outside a form, a field never has an error. */
export const FormContext = createContext<FormContextValue>({
  wrong: {},
  offered: {},
  recheck: () => {},
  save: 'save',
})

/** State of a field and of its parts. */
export type FieldState = {
  name: CheckoutFieldName
  /** Whether the field's value is invalid. */
  isInvalid: boolean
  /** Whether the field is required. */
  isRequired: boolean
}

/** What a field provides to the parts inside it. */
export type FieldContextValue = {
  id: string
  /** The error in the buyer's words. */
  error: string | undefined
  state: FieldState
  offered: string | undefined
  /** Checks the field again while the buyer types. */
  recheck(text: string): void
}

/** Provides a field to the parts inside it. */
export const FieldContext = createContext<FieldContextValue | undefined>(undefined)

/**
 * Returns the field a part is in.
 *
 * @throws {@link KassaError} `config.part-outside-root`
 */
export const useField = (part: string): FieldContextValue => {
  useCheckoutStore(part)
  const field = useContext(FieldContext)
  if (!field) throw partError('config.part-outside-root', { part: `Checkout.${part}` })
  return field
}
