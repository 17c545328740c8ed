'use client'

import { useId, useTransition } from 'react'
import { type Language, languages } from '../../lib/language/languages'
import { setLanguage } from '../../lib/language/setLanguage'
import styles from './LanguageSwitch.module.css'

/** Props of {@link LanguageSwitch}. */
export type LanguageSwitchProps = {
  language: Language
  label: string
  /** The label of the button that a browser without JavaScript shows. */
  submitLabel: string
}

/** Changes the language of the page, which keeps its address and what was entered in it. */
export function LanguageSwitch({ language, label, submitLabel }: LanguageSwitchProps) {
  const id = useId()
  const [isPending, startTransition] = useTransition()
  return (
    <form className={styles.switch} action={setLanguage}>
      <label htmlFor={id}>{label}</label>
      <select
        className={`field ${styles.select}`}
        id={id}
        name="language"
        defaultValue={language}
        aria-busy={isPending}
        autoComplete="off"
        onChange={(event) => {
          const { form } = event.currentTarget
          // Submitted by hand, because React resets a form after its action.
          if (form) startTransition(() => setLanguage(new FormData(form)))
        }}
      >
        {Object.entries(languages).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
      <noscript>
        <button className="button" type="submit">
          {submitLabel}
        </button>
      </noscript>
    </form>
  )
}
