export function Avatar({ src, name }: { src: string; name: string }) {
  return (
    <span className="account-avatar">
      {src ? <img src={src} alt="" width={64} height={64} /> : <span aria-hidden="true">{[...name][0] ?? '·'}</span>}
    </span>
  );
}
