import { type ReactNode, useId } from 'react'

type CardProps = { title: string; text?: string | undefined; actions?: ReactNode; children: ReactNode }

/** Renders a `<section>` under its title. */
export const Card = ({ title, text, actions, children }: CardProps) => {
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {text && <p>{text}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  )
}
