/**
 * Loaded into a server that is measured (`--import`): answers each message of its parent with the longest time for which its
 * event loop was busy with one thing since the message before, and with the processor time of the whole process, both in
 * milliseconds. Counted is the processor time of the loop's thread: on a machine with more to do than the bench, a wait for a
 * processor is no pause that the server makes.
 */
let longest = 0;
let before = 0;
const busy = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
setInterval(() => {
  const now = busy();
  longest = Math.max(longest, now - before);
  before = now;
}, 1).unref();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ pauseMilliseconds: longest, cpuMilliseconds: (user + system) / 1000 });
  longest = 0;
});
// The parent's channel alone is no reason to go on.
process.channel?.unref();
