/** The name of a row's subject, which opens its page. One line; the whole name is its tooltip. */
export function NameButton({ id, name, onClick }: { id: string; name: string; onClick: () => void }) {
  return (
    <button
      type="button"
      data-focus-id={id}
      dir="auto"
      title={name}
      onClick={onClick}
      // The ring of the focus keeps clear of the line below.
      className="-mx-1.5 min-h-7 max-w-[calc(100%+12px)] truncate rounded-sm px-1.5 text-left font-medium text-sm outline-offset-[-2px] hover:underline"
    >
      {name}
    </button>
  );
}
