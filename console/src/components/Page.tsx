import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../messages/index.js'

type PageProps = {
  title: string
  text?: string | undefined
  /** Above the title. */
  crumb?: ReactNode
  /** Beside the title. */
  mark?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

let isFirst = true

/** Moves the focus to the title of a page that the reader has gone to, so that a screen reader reads it. */
export const useTitle = (title: string) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${t.app}`
  }, [title])
  useEffect(() => {
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  return heading
}

/** Renders a page under its title. */
export const Page = ({ title, text, crumb, mark, actions, children }: PageProps) => {
  const heading = useTitle(title)
  return (
    <div className="page">
      <div className="head">
        <div>
          {crumb}
          <div className="title-line">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {mark}
          </div>
          {text && <p>{text}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  )
}
