import { createTexts, pairs } from '@shop/shared/i18n';

export const { useTexts, t } = createTexts(
  'staff-edits',
  pairs({
    save: ['保存', 'Save'],
    saved: ['已保存', 'Saved'],
    drop: ['放弃修改', 'Drop changes'],
    unsaved: ['有未保存的修改', 'Changes are not saved yet'],
    leave: ['离开并放弃修改？', 'Leave and drop your changes?'],
    leaveText: ['未保存的修改会丢失。', 'What is not saved is lost.'],
    leaveNow: ['离开', 'Leave'],
    conflict: {
      title: ['{{name}} 已先保存了修改', '{{name}} has saved first'],
      someone: ['其他人', 'Somebody else'],
      text: [
        '核对差异后，可以保留自己的修改再保存一次，也可以改用对方的内容。两人都改过的项目，以最后保存的为准。',
        'Look at the difference, then keep your changes and save again, or take what is there now. Where both have changed the same, the last save counts.',
      ],
      field: ['项目', 'What'],
      before: ['修改前', 'Before'],
      theirs: ['现在的内容', 'There now'],
      mine: ['我的内容', 'Yours'],
      keep: ['保留我的修改', 'Keep my changes'],
      take: ['用现在的内容', 'Take what is there'],
    },
    history: {
      title: ['修改记录', 'History'],
      empty: ['还没有修改记录', 'Nothing has been changed yet'],
      made: ['新建', 'Made'],
      putBack: ['恢复修改前的内容', 'Put back'],
      putBackAsk: ['恢复修改前的内容？', 'Put this back?'],
      putBackText: [
        '以下项目恢复为 {{time}} 之前的内容：{{fields}}。',
        'This becomes as it was before {{time}}: {{fields}}.',
      ],
      isPutBack: ['恢复', 'Put back'],
      job: ['系统', 'The shop'],
      saveFirst: ['请先保存或放弃修改。', 'Save or drop your changes first.'],
      after: ['修改后', 'After'],
    },
    state: {
      shown: ['展示中', 'Shown'],
      waiting: ['未开始', 'Not yet'],
      ended: ['已结束', 'Ended'],
      hidden: ['已隐藏', 'Hidden'],
    },
    choice: {
      hint: ['输入名称或编号，再点选', 'Type a name or key, then choose'],
      none: ['没有找到', 'Nothing found'],
    },
  }),
);
