"""Generated from schemas/memory-set.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['memory_set', 'name', 'histories']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'memory_set' in data_keys:
            data_keys.remove('memory_set')
            data__memoryset = data['memory_set']
            if not (isinstance(data__memoryset, str) and data__memoryset == '1'):
                raise Invalid
        if 'name' in data_keys:
            data_keys.remove('name')
            data__name = data['name']
            if not isinstance(data__name, str):
                raise Invalid
            if isinstance(data__name, str):
                data__name_len = len(data__name)
                if data__name_len < 1:
                    raise Invalid
        if 'benchmark' in data_keys:
            data_keys.remove('benchmark')
            data__benchmark = data['benchmark']
            if not isinstance(data__benchmark, str):
                raise Invalid
            if not (isinstance(data__benchmark, str) and data__benchmark == 'LoCoMo' or (isinstance(data__benchmark, str) and data__benchmark == 'LongMemEval')):
                raise Invalid
        if 'source' in data_keys:
            data_keys.remove('source')
            data__source = data['source']
            if not isinstance(data__source, str):
                raise Invalid
        if 'types' in data_keys:
            data_keys.remove('types')
            data__types = data['types']
            if not isinstance(data__types, dict):
                raise Invalid
            data__types_is_dict = isinstance(data__types, dict)
            if data__types_is_dict:
                data__types_keys = set(data__types.keys())
                for data__types_key in data__types_keys:
                    if data__types_key not in []:
                        data__types_value = data__types.get(data__types_key)
                        if not isinstance(data__types_value, str):
                            raise Invalid
                        if isinstance(data__types_value, str):
                            data__types_value_len = len(data__types_value)
                            if data__types_value_len < 1:
                                raise Invalid
        if 'metadata' in data_keys:
            data_keys.remove('metadata')
            data__metadata = data['metadata']
            if not isinstance(data__metadata, dict):
                raise Invalid
        if 'histories' in data_keys:
            data_keys.remove('histories')
            data__histories = data['histories']
            if not isinstance(data__histories, (list, tuple)):
                raise Invalid
            data__histories_is_list = isinstance(data__histories, (list, tuple))
            if data__histories_is_list:
                data__histories_len = len(data__histories)
                if data__histories_len < 1:
                    raise Invalid
                for data__histories_x, data__histories_item in enumerate(data__histories):
                    if not isinstance(data__histories_item, dict):
                        raise Invalid
                    data__histories_item_is_dict = isinstance(data__histories_item, dict)
                    if data__histories_item_is_dict:
                        data__histories_item__missing_keys = set(['id', 'sessions', 'questions']) - data__histories_item.keys()
                        if data__histories_item__missing_keys:
                            raise Invalid
                        data__histories_item_keys = set(data__histories_item.keys())
                        if 'id' in data__histories_item_keys:
                            data__histories_item_keys.remove('id')
                            data__histories_item__id = data__histories_item['id']
                            if not isinstance(data__histories_item__id, str):
                                raise Invalid
                            if isinstance(data__histories_item__id, str):
                                data__histories_item__id_len = len(data__histories_item__id)
                                if data__histories_item__id_len < 1:
                                    raise Invalid
                        if 'speakers' in data__histories_item_keys:
                            data__histories_item_keys.remove('speakers')
                            data__histories_item__speakers = data__histories_item['speakers']
                            if not isinstance(data__histories_item__speakers, (list, tuple)):
                                raise Invalid
                            data__histories_item__speakers_is_list = isinstance(data__histories_item__speakers, (list, tuple))
                            if data__histories_item__speakers_is_list:
                                data__histories_item__speakers_len = len(data__histories_item__speakers)
                                for data__histories_item__speakers_x, data__histories_item__speakers_item in enumerate(data__histories_item__speakers):
                                    if not isinstance(data__histories_item__speakers_item, str):
                                        raise Invalid
                                    if isinstance(data__histories_item__speakers_item, str):
                                        data__histories_item__speakers_item_len = len(data__histories_item__speakers_item)
                                        if data__histories_item__speakers_item_len < 1:
                                            raise Invalid
                        if 'metadata' in data__histories_item_keys:
                            data__histories_item_keys.remove('metadata')
                            data__histories_item__metadata = data__histories_item['metadata']
                            if not isinstance(data__histories_item__metadata, dict):
                                raise Invalid
                        if 'sessions' in data__histories_item_keys:
                            data__histories_item_keys.remove('sessions')
                            data__histories_item__sessions = data__histories_item['sessions']
                            if not isinstance(data__histories_item__sessions, (list, tuple)):
                                raise Invalid
                            data__histories_item__sessions_is_list = isinstance(data__histories_item__sessions, (list, tuple))
                            if data__histories_item__sessions_is_list:
                                data__histories_item__sessions_len = len(data__histories_item__sessions)
                                if data__histories_item__sessions_len < 1:
                                    raise Invalid
                                for data__histories_item__sessions_x, data__histories_item__sessions_item in enumerate(data__histories_item__sessions):
                                    if not isinstance(data__histories_item__sessions_item, dict):
                                        raise Invalid
                                    data__histories_item__sessions_item_is_dict = isinstance(data__histories_item__sessions_item, dict)
                                    if data__histories_item__sessions_item_is_dict:
                                        data__histories_item__sessions_item__missing_keys = set(['id', 'turns']) - data__histories_item__sessions_item.keys()
                                        if data__histories_item__sessions_item__missing_keys:
                                            raise Invalid
                                        data__histories_item__sessions_item_keys = set(data__histories_item__sessions_item.keys())
                                        if 'id' in data__histories_item__sessions_item_keys:
                                            data__histories_item__sessions_item_keys.remove('id')
                                            data__histories_item__sessions_item__id = data__histories_item__sessions_item['id']
                                            if not isinstance(data__histories_item__sessions_item__id, str):
                                                raise Invalid
                                            if isinstance(data__histories_item__sessions_item__id, str):
                                                data__histories_item__sessions_item__id_len = len(data__histories_item__sessions_item__id)
                                                if data__histories_item__sessions_item__id_len < 1:
                                                    raise Invalid
                                        if 'date' in data__histories_item__sessions_item_keys:
                                            data__histories_item__sessions_item_keys.remove('date')
                                            data__histories_item__sessions_item__date = data__histories_item__sessions_item['date']
                                            if not isinstance(data__histories_item__sessions_item__date, str):
                                                raise Invalid
                                        if 'metadata' in data__histories_item__sessions_item_keys:
                                            data__histories_item__sessions_item_keys.remove('metadata')
                                            data__histories_item__sessions_item__metadata = data__histories_item__sessions_item['metadata']
                                            if not isinstance(data__histories_item__sessions_item__metadata, dict):
                                                raise Invalid
                                        if 'turns' in data__histories_item__sessions_item_keys:
                                            data__histories_item__sessions_item_keys.remove('turns')
                                            data__histories_item__sessions_item__turns = data__histories_item__sessions_item['turns']
                                            if not isinstance(data__histories_item__sessions_item__turns, (list, tuple)):
                                                raise Invalid
                                            data__histories_item__sessions_item__turns_is_list = isinstance(data__histories_item__sessions_item__turns, (list, tuple))
                                            if data__histories_item__sessions_item__turns_is_list:
                                                data__histories_item__sessions_item__turns_len = len(data__histories_item__sessions_item__turns)
                                                for data__histories_item__sessions_item__turns_x, data__histories_item__sessions_item__turns_item in enumerate(data__histories_item__sessions_item__turns):
                                                    if not isinstance(data__histories_item__sessions_item__turns_item, dict):
                                                        raise Invalid
                                                    data__histories_item__sessions_item__turns_item_is_dict = isinstance(data__histories_item__sessions_item__turns_item, dict)
                                                    if data__histories_item__sessions_item__turns_item_is_dict:
                                                        data__histories_item__sessions_item__turns_item__missing_keys = set(['id', 'role', 'content']) - data__histories_item__sessions_item__turns_item.keys()
                                                        if data__histories_item__sessions_item__turns_item__missing_keys:
                                                            raise Invalid
                                                        data__histories_item__sessions_item__turns_item_keys = set(data__histories_item__sessions_item__turns_item.keys())
                                                        if 'id' in data__histories_item__sessions_item__turns_item_keys:
                                                            data__histories_item__sessions_item__turns_item_keys.remove('id')
                                                            data__histories_item__sessions_item__turns_item__id = data__histories_item__sessions_item__turns_item['id']
                                                            if not isinstance(data__histories_item__sessions_item__turns_item__id, str):
                                                                raise Invalid
                                                            if isinstance(data__histories_item__sessions_item__turns_item__id, str):
                                                                data__histories_item__sessions_item__turns_item__id_len = len(data__histories_item__sessions_item__turns_item__id)
                                                                if data__histories_item__sessions_item__turns_item__id_len < 1:
                                                                    raise Invalid
                                                        if 'role' in data__histories_item__sessions_item__turns_item_keys:
                                                            data__histories_item__sessions_item__turns_item_keys.remove('role')
                                                            data__histories_item__sessions_item__turns_item__role = data__histories_item__sessions_item__turns_item['role']
                                                            if not (isinstance(data__histories_item__sessions_item__turns_item__role, str) and data__histories_item__sessions_item__turns_item__role == 'user' or (isinstance(data__histories_item__sessions_item__turns_item__role, str) and data__histories_item__sessions_item__turns_item__role == 'assistant')):
                                                                raise Invalid
                                                        if 'speaker' in data__histories_item__sessions_item__turns_item_keys:
                                                            data__histories_item__sessions_item__turns_item_keys.remove('speaker')
                                                            data__histories_item__sessions_item__turns_item__speaker = data__histories_item__sessions_item__turns_item['speaker']
                                                            if not isinstance(data__histories_item__sessions_item__turns_item__speaker, str):
                                                                raise Invalid
                                                            if isinstance(data__histories_item__sessions_item__turns_item__speaker, str):
                                                                data__histories_item__sessions_item__turns_item__speaker_len = len(data__histories_item__sessions_item__turns_item__speaker)
                                                                if data__histories_item__sessions_item__turns_item__speaker_len < 1:
                                                                    raise Invalid
                                                        if 'content' in data__histories_item__sessions_item__turns_item_keys:
                                                            data__histories_item__sessions_item__turns_item_keys.remove('content')
                                                            data__histories_item__sessions_item__turns_item__content = data__histories_item__sessions_item__turns_item['content']
                                                            if not isinstance(data__histories_item__sessions_item__turns_item__content, str):
                                                                raise Invalid
                                                        if 'metadata' in data__histories_item__sessions_item__turns_item_keys:
                                                            data__histories_item__sessions_item__turns_item_keys.remove('metadata')
                                                            data__histories_item__sessions_item__turns_item__metadata = data__histories_item__sessions_item__turns_item['metadata']
                                                            if not isinstance(data__histories_item__sessions_item__turns_item__metadata, dict):
                                                                raise Invalid
                                                        if data__histories_item__sessions_item__turns_item_keys:
                                                            raise Invalid
                                        if data__histories_item__sessions_item_keys:
                                            raise Invalid
                        if 'questions' in data__histories_item_keys:
                            data__histories_item_keys.remove('questions')
                            data__histories_item__questions = data__histories_item['questions']
                            if not isinstance(data__histories_item__questions, (list, tuple)):
                                raise Invalid
                            data__histories_item__questions_is_list = isinstance(data__histories_item__questions, (list, tuple))
                            if data__histories_item__questions_is_list:
                                data__histories_item__questions_len = len(data__histories_item__questions)
                                if data__histories_item__questions_len < 1:
                                    raise Invalid
                                for data__histories_item__questions_x, data__histories_item__questions_item in enumerate(data__histories_item__questions):
                                    if not isinstance(data__histories_item__questions_item, dict):
                                        raise Invalid
                                    data__histories_item__questions_item_is_dict = isinstance(data__histories_item__questions_item, dict)
                                    if data__histories_item__questions_item_is_dict:
                                        data__histories_item__questions_item__missing_keys = set(['id', 'question', 'type']) - data__histories_item__questions_item.keys()
                                        if data__histories_item__questions_item__missing_keys:
                                            raise Invalid
                                        data__histories_item__questions_item_keys = set(data__histories_item__questions_item.keys())
                                        if 'id' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('id')
                                            data__histories_item__questions_item__id = data__histories_item__questions_item['id']
                                            if not isinstance(data__histories_item__questions_item__id, str):
                                                raise Invalid
                                            if isinstance(data__histories_item__questions_item__id, str):
                                                data__histories_item__questions_item__id_len = len(data__histories_item__questions_item__id)
                                                if data__histories_item__questions_item__id_len < 1:
                                                    raise Invalid
                                        if 'question' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('question')
                                            data__histories_item__questions_item__question = data__histories_item__questions_item['question']
                                            if not isinstance(data__histories_item__questions_item__question, str):
                                                raise Invalid
                                            if isinstance(data__histories_item__questions_item__question, str):
                                                data__histories_item__questions_item__question_len = len(data__histories_item__questions_item__question)
                                                if data__histories_item__questions_item__question_len < 1:
                                                    raise Invalid
                                        if 'type' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('type')
                                            data__histories_item__questions_item__type = data__histories_item__questions_item['type']
                                            if not isinstance(data__histories_item__questions_item__type, str):
                                                raise Invalid
                                            if isinstance(data__histories_item__questions_item__type, str):
                                                data__histories_item__questions_item__type_len = len(data__histories_item__questions_item__type)
                                                if data__histories_item__questions_item__type_len < 1:
                                                    raise Invalid
                                        if 'answer' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('answer')
                                            data__histories_item__questions_item__answer = data__histories_item__questions_item['answer']
                                            if not isinstance(data__histories_item__questions_item__answer, (str, int, float, list, tuple)) or isinstance(data__histories_item__questions_item__answer, bool):
                                                raise Invalid
                                            if isinstance(data__histories_item__questions_item__answer, str):
                                                data__histories_item__questions_item__answer_len = len(data__histories_item__questions_item__answer)
                                                if data__histories_item__questions_item__answer_len < 1:
                                                    raise Invalid
                                            data__histories_item__questions_item__answer_is_list = isinstance(data__histories_item__questions_item__answer, (list, tuple))
                                            if data__histories_item__questions_item__answer_is_list:
                                                data__histories_item__questions_item__answer_len = len(data__histories_item__questions_item__answer)
                                                if data__histories_item__questions_item__answer_len < 1:
                                                    raise Invalid
                                                for data__histories_item__questions_item__answer_x, data__histories_item__questions_item__answer_item in enumerate(data__histories_item__questions_item__answer):
                                                    if not isinstance(data__histories_item__questions_item__answer_item, str):
                                                        raise Invalid
                                                    if isinstance(data__histories_item__questions_item__answer_item, str):
                                                        data__histories_item__questions_item__answer_item_len = len(data__histories_item__questions_item__answer_item)
                                                        if data__histories_item__questions_item__answer_item_len < 1:
                                                            raise Invalid
                                        if 'abstention' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('abstention')
                                            data__histories_item__questions_item__abstention = data__histories_item__questions_item['abstention']
                                            if not isinstance(data__histories_item__questions_item__abstention, bool):
                                                raise Invalid
                                        if 'explanation' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('explanation')
                                            data__histories_item__questions_item__explanation = data__histories_item__questions_item['explanation']
                                            if not isinstance(data__histories_item__questions_item__explanation, str):
                                                raise Invalid
                                            if isinstance(data__histories_item__questions_item__explanation, str):
                                                data__histories_item__questions_item__explanation_len = len(data__histories_item__questions_item__explanation)
                                                if data__histories_item__questions_item__explanation_len < 1:
                                                    raise Invalid
                                        if 'wrong_answers' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('wrong_answers')
                                            data__histories_item__questions_item__wronganswers = data__histories_item__questions_item['wrong_answers']
                                            if not isinstance(data__histories_item__questions_item__wronganswers, (list, tuple)):
                                                raise Invalid
                                            data__histories_item__questions_item__wronganswers_is_list = isinstance(data__histories_item__questions_item__wronganswers, (list, tuple))
                                            if data__histories_item__questions_item__wronganswers_is_list:
                                                data__histories_item__questions_item__wronganswers_len = len(data__histories_item__questions_item__wronganswers)
                                                if data__histories_item__questions_item__wronganswers_len < 1:
                                                    raise Invalid
                                                for data__histories_item__questions_item__wronganswers_x, data__histories_item__questions_item__wronganswers_item in enumerate(data__histories_item__questions_item__wronganswers):
                                                    if not isinstance(data__histories_item__questions_item__wronganswers_item, str):
                                                        raise Invalid
                                                    if isinstance(data__histories_item__questions_item__wronganswers_item, str):
                                                        data__histories_item__questions_item__wronganswers_item_len = len(data__histories_item__questions_item__wronganswers_item)
                                                        if data__histories_item__questions_item__wronganswers_item_len < 1:
                                                            raise Invalid
                                        if 'options' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('options')
                                            data__histories_item__questions_item__options = data__histories_item__questions_item['options']
                                            if not isinstance(data__histories_item__questions_item__options, (list, tuple)):
                                                raise Invalid
                                            data__histories_item__questions_item__options_is_list = isinstance(data__histories_item__questions_item__options, (list, tuple))
                                            if data__histories_item__questions_item__options_is_list:
                                                data__histories_item__questions_item__options_len = len(data__histories_item__questions_item__options)
                                                if data__histories_item__questions_item__options_len < 2:
                                                    raise Invalid
                                                for data__histories_item__questions_item__options_x, data__histories_item__questions_item__options_item in enumerate(data__histories_item__questions_item__options):
                                                    if not isinstance(data__histories_item__questions_item__options_item, str):
                                                        raise Invalid
                                                    if isinstance(data__histories_item__questions_item__options_item, str):
                                                        data__histories_item__questions_item__options_item_len = len(data__histories_item__questions_item__options_item)
                                                        if data__histories_item__questions_item__options_item_len < 1:
                                                            raise Invalid
                                        if 'rubric' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('rubric')
                                            data__histories_item__questions_item__rubric = data__histories_item__questions_item['rubric']
                                            if not isinstance(data__histories_item__questions_item__rubric, (list, tuple)):
                                                raise Invalid
                                            data__histories_item__questions_item__rubric_is_list = isinstance(data__histories_item__questions_item__rubric, (list, tuple))
                                            if data__histories_item__questions_item__rubric_is_list:
                                                data__histories_item__questions_item__rubric_len = len(data__histories_item__questions_item__rubric)
                                                if data__histories_item__questions_item__rubric_len < 1:
                                                    raise Invalid
                                                for data__histories_item__questions_item__rubric_x, data__histories_item__questions_item__rubric_item in enumerate(data__histories_item__questions_item__rubric):
                                                    if not isinstance(data__histories_item__questions_item__rubric_item, str):
                                                        raise Invalid
                                                    if isinstance(data__histories_item__questions_item__rubric_item, str):
                                                        data__histories_item__questions_item__rubric_item_len = len(data__histories_item__questions_item__rubric_item)
                                                        if data__histories_item__questions_item__rubric_item_len < 1:
                                                            raise Invalid
                                        if 'ordered' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('ordered')
                                            data__histories_item__questions_item__ordered = data__histories_item__questions_item['ordered']
                                            if not isinstance(data__histories_item__questions_item__ordered, bool):
                                                raise Invalid
                                        if 'evidence' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('evidence')
                                            data__histories_item__questions_item__evidence = data__histories_item__questions_item['evidence']
                                            if not isinstance(data__histories_item__questions_item__evidence, (list, tuple)):
                                                raise Invalid
                                            data__histories_item__questions_item__evidence_is_list = isinstance(data__histories_item__questions_item__evidence, (list, tuple))
                                            if data__histories_item__questions_item__evidence_is_list:
                                                data__histories_item__questions_item__evidence_len = len(data__histories_item__questions_item__evidence)
                                                for data__histories_item__questions_item__evidence_x, data__histories_item__questions_item__evidence_item in enumerate(data__histories_item__questions_item__evidence):
                                                    if not isinstance(data__histories_item__questions_item__evidence_item, str):
                                                        raise Invalid
                                                    if isinstance(data__histories_item__questions_item__evidence_item, str):
                                                        data__histories_item__questions_item__evidence_item_len = len(data__histories_item__questions_item__evidence_item)
                                                        if data__histories_item__questions_item__evidence_item_len < 1:
                                                            raise Invalid
                                        if 'date' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('date')
                                            data__histories_item__questions_item__date = data__histories_item__questions_item['date']
                                            if not isinstance(data__histories_item__questions_item__date, str):
                                                raise Invalid
                                        if 'after' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('after')
                                            data__histories_item__questions_item__after = data__histories_item__questions_item['after']
                                            if not isinstance(data__histories_item__questions_item__after, str):
                                                raise Invalid
                                            if isinstance(data__histories_item__questions_item__after, str):
                                                data__histories_item__questions_item__after_len = len(data__histories_item__questions_item__after)
                                                if data__histories_item__questions_item__after_len < 1:
                                                    raise Invalid
                                        if 'metadata' in data__histories_item__questions_item_keys:
                                            data__histories_item__questions_item_keys.remove('metadata')
                                            data__histories_item__questions_item__metadata = data__histories_item__questions_item['metadata']
                                            if not isinstance(data__histories_item__questions_item__metadata, dict):
                                                raise Invalid
                                        if data__histories_item__questions_item_keys:
                                            raise Invalid
                        if data__histories_item_keys:
                            raise Invalid
        if data_keys:
            raise Invalid
    return data
