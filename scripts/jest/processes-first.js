const { default: Sequencer } = require('@jest/test-sequencer');

/** Tests that build, or start and kill processes: seconds each, where a unit test takes milliseconds. */
const ofReleases = ['platform/releases/src/store/', 'scripts/release/', 'scripts/build'];
const isLong = ({ path }) => [...ofReleases, 'scripts/image/'].some((start) => path.includes(`/${start}`));

/** What takes long first: a fresh clone knows no times yet, and jest would begin with the largest files. */
module.exports = class ProcessesFirst extends Sequencer {
  static ofReleases = ofReleases;

  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
