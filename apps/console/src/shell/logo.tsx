export function Logo({ size = 32 }: { size?: number }) {
  return <img src="/favicon.svg" alt="" width={size} height={size} style={{ flexShrink: 0 }} />;
}
