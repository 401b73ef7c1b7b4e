/** The link above a view that leads back to where it was opened from. */
export function BackLink({ to, text }: { to: string; text: string }) {
  return (
    <p>
      <a class="back" href={to}>
        {text}
      </a>
    </p>
  )
}
