import { pairTexts } from '../pair-texts';

export const { useTexts } = pairTexts('staff-edits', {
  begin: ['开始填写', 'Continue'],
  drop: ['放弃修改', 'Discard changes'],
  unsaved: ['有未保存的修改', 'Unsaved changes'],
  conflict: {
    title: ['{{name}} 已先保存了修改', '{{name}} saved changes first'],
    someone: ['其他人', 'Someone else'],
    text: [
      '核对差异后，可以保留自己的修改再保存一次，也可以改用对方的内容。两人都改过的项目，以最后保存的为准。',
      'Review the differences. Then keep your changes and save again, or use the current version. Where you both changed the same field, the last save wins.',
    ],
    theirs: ['现在的内容', 'Current'],
    mine: ['我的内容', 'Yours'],
    keep: ['保留我的修改', 'Keep my changes'],
    take: ['用现在的内容', 'Use current version'],
  },
  history: {
    title: ['修改记录', 'History'],
    empty: ['还没有修改记录', 'No changes yet'],
    made: ['新建', 'Created'],
    putBack: ['恢复修改前的内容', 'Restore'],
    putBackAsk: ['恢复修改前的内容？', 'Restore this version?'],
    putBackText: [
      '以下项目恢复为 {{time}} 之前的内容：{{fields}}。',
      'These fields go back to their values before {{time}}: {{fields}}.',
    ],
    isPutBack: ['恢复', 'Restored'],
    job: ['系统', 'System'],
    saveFirst: ['请先保存或放弃修改。', 'Save or discard your changes first.'],
  },
  state: {
    shown: ['展示中', 'Shown'],
    waiting: ['未开始', 'Not started'],
    ended: ['已结束', 'Ended'],
    hidden: ['已隐藏', 'Hidden'],
  },
  choice: {
    hint: ['输入名称或编号，再点选', 'Type a name or key, then select'],
    none: ['没有找到', 'No results'],
  },
});
