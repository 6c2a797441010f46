"""Generated from schemas/longmemeval.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['question_id', 'question_type', 'question', 'answer', 'question_date', 'haystack_session_ids', 'haystack_dates', 'haystack_sessions', 'answer_session_ids']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'question_id' in data_keys:
            data_keys.remove('question_id')
            data__questionid = data['question_id']
            if not isinstance(data__questionid, str):
                raise Invalid
            if isinstance(data__questionid, str):
                data__questionid_len = len(data__questionid)
                if data__questionid_len < 1:
                    raise Invalid
        if 'question_type' in data_keys:
            data_keys.remove('question_type')
            data__questiontype = data['question_type']
            if not isinstance(data__questiontype, str):
                raise Invalid
        if 'question' in data_keys:
            data_keys.remove('question')
            data__question = data['question']
            if not isinstance(data__question, str):
                raise Invalid
            if isinstance(data__question, str):
                data__question_len = len(data__question)
                if data__question_len < 1:
                    raise Invalid
        if 'answer' in data_keys:
            data_keys.remove('answer')
            data__answer = data['answer']
            if not isinstance(data__answer, (str, int, float)) or isinstance(data__answer, bool):
                raise Invalid
            if isinstance(data__answer, str):
                data__answer_len = len(data__answer)
                if data__answer_len < 1:
                    raise Invalid
        if 'question_date' in data_keys:
            data_keys.remove('question_date')
            data__questiondate = data['question_date']
            if not isinstance(data__questiondate, str):
                raise Invalid
        if 'haystack_session_ids' in data_keys:
            data_keys.remove('haystack_session_ids')
            data__haystacksessionids = data['haystack_session_ids']
            if not isinstance(data__haystacksessionids, (list, tuple)):
                raise Invalid
            data__haystacksessionids_is_list = isinstance(data__haystacksessionids, (list, tuple))
            if data__haystacksessionids_is_list:
                data__haystacksessionids_len = len(data__haystacksessionids)
                for data__haystacksessionids_x, data__haystacksessionids_item in enumerate(data__haystacksessionids):
                    if not isinstance(data__haystacksessionids_item, str):
                        raise Invalid
        if 'haystack_dates' in data_keys:
            data_keys.remove('haystack_dates')
            data__haystackdates = data['haystack_dates']
            if not isinstance(data__haystackdates, (list, tuple)):
                raise Invalid
            data__haystackdates_is_list = isinstance(data__haystackdates, (list, tuple))
            if data__haystackdates_is_list:
                data__haystackdates_len = len(data__haystackdates)
                for data__haystackdates_x, data__haystackdates_item in enumerate(data__haystackdates):
                    if not isinstance(data__haystackdates_item, str):
                        raise Invalid
        if 'haystack_sessions' in data_keys:
            data_keys.remove('haystack_sessions')
            data__haystacksessions = data['haystack_sessions']
            if not isinstance(data__haystacksessions, (list, tuple)):
                raise Invalid
            data__haystacksessions_is_list = isinstance(data__haystacksessions, (list, tuple))
            if data__haystacksessions_is_list:
                data__haystacksessions_len = len(data__haystacksessions)
                for data__haystacksessions_x, data__haystacksessions_item in enumerate(data__haystacksessions):
                    if not isinstance(data__haystacksessions_item, (list, tuple)):
                        raise Invalid
                    data__haystacksessions_item_is_list = isinstance(data__haystacksessions_item, (list, tuple))
                    if data__haystacksessions_item_is_list:
                        data__haystacksessions_item_len = len(data__haystacksessions_item)
                        for data__haystacksessions_item_x, data__haystacksessions_item_item in enumerate(data__haystacksessions_item):
                            if not isinstance(data__haystacksessions_item_item, dict):
                                raise Invalid
                            data__haystacksessions_item_item_is_dict = isinstance(data__haystacksessions_item_item, dict)
                            if data__haystacksessions_item_item_is_dict:
                                data__haystacksessions_item_item__missing_keys = set(['role', 'content']) - data__haystacksessions_item_item.keys()
                                if data__haystacksessions_item_item__missing_keys:
                                    raise Invalid
                                data__haystacksessions_item_item_keys = set(data__haystacksessions_item_item.keys())
                                if 'role' in data__haystacksessions_item_item_keys:
                                    data__haystacksessions_item_item_keys.remove('role')
                                    data__haystacksessions_item_item__role = data__haystacksessions_item_item['role']
                                    if not isinstance(data__haystacksessions_item_item__role, str):
                                        raise Invalid
                                if 'content' in data__haystacksessions_item_item_keys:
                                    data__haystacksessions_item_item_keys.remove('content')
                                    data__haystacksessions_item_item__content = data__haystacksessions_item_item['content']
                                    if not isinstance(data__haystacksessions_item_item__content, str):
                                        raise Invalid
                                if 'has_answer' in data__haystacksessions_item_item_keys:
                                    data__haystacksessions_item_item_keys.remove('has_answer')
                                    data__haystacksessions_item_item__hasanswer = data__haystacksessions_item_item['has_answer']
                                    if not isinstance(data__haystacksessions_item_item__hasanswer, (bool, NoneType)):
                                        raise Invalid
        if 'answer_session_ids' in data_keys:
            data_keys.remove('answer_session_ids')
            data__answersessionids = data['answer_session_ids']
            if not isinstance(data__answersessionids, (list, tuple)):
                raise Invalid
            data__answersessionids_is_list = isinstance(data__answersessionids, (list, tuple))
            if data__answersessionids_is_list:
                data__answersessionids_len = len(data__answersessionids)
                for data__answersessionids_x, data__answersessionids_item in enumerate(data__answersessionids):
                    if not isinstance(data__answersessionids_item, str):
                        raise Invalid
    return data
